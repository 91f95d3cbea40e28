import {
  checkOptions,
  codePointLength,
  isObject,
  LeakTally,
  type Row,
  roundHalfEven,
  scrubRow,
  type ToolSchema,
} from "@while/schema";
import { type Carry, Columns } from "../arrow/columns.ts";
import { newConversionCounts } from "../conversation/conversion-counts.ts";
import { type ConvertSettings, convertRow } from "../convert-row.ts";
import { ExportError } from "../export-error.ts";
import { carryOf } from "../export-options.ts";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { FormatSpec } from "../formats/format-spec.ts";
import { formats, getFormat } from "../formats/registry.ts";
import { newTextCounts } from "../json/json-text.ts";
import { RoundtripCheck } from "../roundtrip/roundtrip-check.ts";
import { type Rules, rulesOf } from "../source.ts";
import type { WireMessage } from "../training-row.ts";
import { convertSettings, invalidOption } from "../training-rows.ts";
import { beginAlike, oneTurn } from "./one-turn.ts";
import { type PreferenceReport, preferenceWarnings } from "./preference-report.ts";
import { PAIR_KEYS, type PairSide, type PairSource, type PreferenceWriter, type WirePair } from "./wire-pair.ts";

export interface PreferenceOptions {
  /** A consumer of the registry that reads pairs, by name or alias (`openai`). */
  format?: string;
  /** The agent's rules, for both sides; "" is none. Default: what the rows know. */
  systemPrompt?: string;
  /** Function schemas for every pair; [] is none. Default: those of the chosen row. */
  tools?: readonly ToolSchema[];
  /** Take `<think>` text out of replies. */
  stripThink?: boolean;
  /** Drop pairs whose `tie` says that neither side is better. */
  dropTies?: boolean;
  /** What travels beside the pair: `auto`, `columns` or `none`. Default: the format's. */
  carry?: Carry;
  /** false writes what would be refused: calls that do not read back, chosen sides that leak, no pair at all. */
  validate?: boolean;
}

export const PREFERENCE_OPTIONS: readonly string[] = [
  ...["format", "systemPrompt", "tools", "stripThink", "dropTies", "carry", "validate"],
];

/** The lines of a file of pairs, without their ends, and what `exportPreference` would say about it. */
export interface PreferenceLines {
  lines: string[];
  report: PreferenceReport;
}

/** What the pairs themselves do not say. */
export interface PairContext {
  rules?: Rules;
  tools?: readonly ToolSchema[] | null;
  unsafeIntegers?: number;
  /** The file that is going to be written. */
  output?: string | null;
}

/** Pairs that an error names. */
const NAMED = 3;

/**
 * Pairs of replies as a preference trainer reads them: rules and tools put back in front of both sides, and for
 * trainers that score every token of a side, cut to the one turn in which the sides part.
 *
 * @throws ExportError `format_unknown`, `kind_unsupported`, `invalid_option`, `not_pairs`, `unknown_role`,
 * `schema_invalid`, `consumer_refused`, `tool_call_roundtrip_invalid`, `privileged_leak`, `no_preference_pairs`
 */
export function preferenceLines(
  pairs: Iterable<PairSource>,
  options: PreferenceOptions = {},
  { rules = rulesOf(null), tools = null, unsafeIntegers = 0, output = null }: PairContext = {},
): PreferenceLines {
  const { spec, writer, carry, convert, dropTies, validate } = settingsOf(options, { rules, tools });
  const counts = newConversionCounts();
  const text = newTextCounts();
  const roundtrip = new RoundtripCheck(spec.name, spec.encoding, "json_string");
  const leaks = { chosen: new LeakTally(), rejected: new LeakTally() };
  const columns = new Columns(carry, spec.columns);
  const rows: Record<string, unknown>[] = [];
  const notCarried = new Map<string, number>();
  const tally = {
    pairsIn: 0,
    tiesDropped: 0,
    noCompletionDropped: 0,
    turnsCut: 0,
    longer: 0,
    firstTurnIdentical: 0,
    refused: 0,
  };
  const own: Required<FormatCounts> = { alternationDropped: 0, textBesideCall: 0 };
  const problems: string[] = [];
  const margins: number[] = [];
  let mixedPolicies = 0;
  for (const pair of checkedPairs(pairs)) {
    const index = tally.pairsIn++;
    if (dropTies && pair.tie) {
      tally.tiesDropped++;
      continue;
    }
    const [better, worse] = [sideRow(pair, "chosen"), sideRow(pair, "rejected")];
    const [chosen, rejected] = [better, worse].map((row) => {
      return convertRow(row, index, convert, { counts, text }).samples[0]!;
    }) as [ReturnType<typeof convertRow>["samples"][number], ReturnType<typeof convertRow>["samples"][number]];
    const schemas = chosen.tools ?? rejected.tools;
    const whole: WirePair = {
      ask: textOfAsk(pair, better),
      prompt: [],
      chosen: chosen.messages,
      rejected: rejected.messages,
      ...(schemas === undefined ? {} : { tools: schemas }),
      beside: besides(pair, notCarried),
    };
    const cut = writer.sides === "turn" ? turnOf(whole) : { pair: whole, cut: false };
    if (cut === null) {
      tally.noCompletionDropped++;
      continue;
    }
    // A side that is not written cannot leak.
    leaks.chosen.add(better);
    leaks.rejected.add(worse);
    if (cut.cut) tally.turnsCut++;
    if (lengthDelta(pair, whole) > 0) tally.longer++;
    if (
      pair.first_turn_differs === false ||
      (pair.first_turn_differs !== true && beginAlike(whole.chosen, whole.rejected))
    ) {
      tally.firstTurnIdentical++;
    }
    if (pair.same_policy === false) mixedPolicies++;
    if (typeof pair.margin === "number" && Number.isFinite(pair.margin)) margins.push(pair.margin);
    roundtrip.add({ ...cut.pair }, rows.length);
    const problem = writer.check?.(cut.pair) ?? null;
    if (problem !== null && tally.refused++ < NAMED) problems.push(`pair ${index}: ${problem}`);
    for (const { name } of spec.counts ?? []) own[name] += writer.counts?.(cut.pair)[name] ?? 0;
    const row = writer.write(cut.pair);
    columns.add(row);
    rows.push(row);
  }

  const [leakedChosen, leakedRejected] = [leaks.chosen.report(), leaks.rejected.report()];
  if (validate) {
    refuseParts(spec, counts.contentPartsDropped);
    if (problems.length > 0) throw consumerRefuses(spec, tally.refused, problems);
    refuseCalls(roundtrip);
    if (leakedChosen.nLeaked > 0) throw leakOf(leakedChosen);
    if (rows.length === 0) throw noPairs(tally);
  }
  const n = rows.length;
  const { longer, pairsIn, tiesDropped, noCompletionDropped, turnsCut, firstTurnIdentical } = tally;
  const report: Omit<PreferenceReport, "warnings"> = {
    pairs: n,
    pairsIn,
    format: spec.name,
    path: null,
    toolCallRoundtrip: roundtrip.report(),
    tiesDropped,
    noCompletionDropped,
    turnsCut,
    turnsCutShare: n === 0 ? null : roundHalfEven(turnsCut / n, 4),
    ...(spec.name === "trl" ? { trlTurnsCut: turnsCut } : {}),
    ...(spec.name === "fireworks" ? { fireworksTurnsCut: turnsCut } : {}),
    chosenLongerFrac: n === 0 ? null : roundHalfEven(longer / n, 3),
    firstTurnIdentical,
    meanMargin: margins.length === 0 ? null : roundHalfEven(meanOf(margins), 4),
    mixedPolicies,
    privilegedLeaks: {
      nChecked: leakedChosen.nChecked + leakedRejected.nChecked,
      chosen: leakedChosen.nLeaked,
      rejected: leakedRejected.nLeaked,
    },
    requires: writer.requires ?? [],
    notFor: writer.notFor ?? null,
    notCarried,
    unstable: carry === "none" ? [] : columns.unstable,
    ...(own.textBesideCall === 0 ? {} : { textBesideCall: own.textBesideCall }),
  };
  const warnings = preferenceWarnings(report, {
    longer,
    problems,
    nRefused: tally.refused,
    sides: writer.sides,
    unsafeIntegers,
    output,
  });
  return { lines: rows.map((row) => columns.line(row, text)), report: { ...report, warnings } };
}

interface PreferenceSettings {
  spec: FormatSpec;
  writer: PreferenceWriter;
  carry: Carry;
  convert: ConvertSettings;
  dropTies: boolean;
  validate: boolean;
}

/** Everything that can be checked before a pair is read. @throws ExportError */
function settingsOf(
  options: PreferenceOptions,
  parts: { rules: Rules; tools: readonly ToolSchema[] | null },
): PreferenceSettings {
  checkOptions(options, PREFERENCE_OPTIONS, invalidOption);
  const { format = "openai", dropTies = true, validate = true, stripThink = true, systemPrompt, tools } = options;
  const spec = getFormat(format);
  const { preference } = spec;
  if (preference === undefined) {
    const able = formats.list().filter((other) => other.preference !== undefined);
    throw new ExportError(
      "kind_unsupported",
      `${spec.name} has no rows for preference pairs.`,
      `Use one of ${able.map(({ name }) => name).join(", ")}.`,
    );
  }
  const carry = carryOf(options.carry, spec);
  const given = { ...(systemPrompt === undefined ? {} : { systemPrompt }), ...(tools === undefined ? {} : { tools }) };
  const convert = convertSettings({ stripThink, ...given }, parts);
  return { spec, writer: preference, carry, convert, dropTies, validate };
}

/** @throws ExportError `invalid_option`, `not_pairs` */
function* checkedPairs(pairs: Iterable<PairSource>): Generator<PairSource> {
  if (!isObject(pairs) && !Array.isArray(pairs)) {
    throw invalidOption(
      `The pairs are ${pairs === null ? "null" : typeof pairs} and no list.`,
      "Give a list of pairs.",
    );
  }
  let index = 0;
  for (const pair of pairs) {
    if (!isObject(pair) || !isSide(pair.chosen) || !isSide(pair.rejected)) {
      throw new ExportError(
        "not_pairs",
        `Entry ${index} has no chosen/rejected rows.`,
        "Give pairs of buildPreferencePairs (wai pairs), or objects with a row or a list of messages on either side.",
        { data: { index } },
      );
    }
    index++;
    yield pair as PairSource;
  }
}

function isSide(side: unknown): side is PairSide {
  return isObject(side) || (Array.isArray(side) && side.length > 0 && side.every(isObject));
}

/** A side as a row; one that has no ask of its own gets the pair's. */
function sideRow(pair: PairSource, side: "chosen" | "rejected"): Row {
  const given = pair[side];
  const row = (Array.isArray(given) ? { messages: given } : given) as Row;
  return row.prompt === undefined && typeof pair.prompt === "string" ? { ...row, prompt: pair.prompt } : row;
}

function textOfAsk({ prompt }: PairSource, chosen: Row): string | null {
  if (typeof prompt === "string") return prompt;
  return typeof chosen.prompt === "string" ? chosen.prompt : null;
}

function besides(pair: PairSource, notCarried: Map<string, number>): Record<string, unknown> {
  const { row } = scrubRow(pair as unknown as Row);
  const beside: Record<string, unknown> = {};
  for (const key of PAIR_KEYS) if (row[key] !== null && row[key] !== undefined) beside[key] = row[key];
  for (const key of Object.keys(row)) {
    if (["prompt", "chosen", "rejected", "schema_version"].includes(key) || PAIR_KEYS.includes(key)) continue;
    if (row[key] !== null && row[key] !== undefined) notCarried.set(key, (notCarried.get(key) ?? 0) + 1);
  }
  beside.schema_version = "1";
  return beside;
}

function turnOf(pair: WirePair): { pair: WirePair; cut: boolean } | null {
  const parting = oneTurn(pair.chosen, pair.rejected);
  if (parting === null) return null;
  const { at, cut } = parting;
  const sides = { chosen: [pair.chosen[at]!], rejected: [pair.rejected[at]!] };
  return { pair: { ...pair, prompt: pair.chosen.slice(0, at), ...sides }, cut };
}

/** As the pair says, else counted on what the agent said. */
function lengthDelta({ length_delta: given }: PairSource, { chosen, rejected }: WirePair): number {
  return typeof given === "number" ? given : saidBy(chosen) - saidBy(rejected);
}

function saidBy(messages: readonly WireMessage[]): number {
  let length = 0;
  for (const { role, content } of messages) if (role === "assistant") length += codePointLength(content);
  return length;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0);
}

function refuseParts({ name }: FormatSpec, parts: ReadonlyMap<string, number>): void {
  if (parts.size === 0) return;
  const kinds = [...parts].map(([kind, n]) => `${n} ${kind}`).join(", ");
  throw new ExportError(
    "consumer_refused",
    `${name} pairs hold text, and messages have other parts: ${kinds}.`,
    "A conversation whose image is gone is another task: drop these pairs; validate: false drops the parts.",
    { data: { contentPartsDropped: Object.fromEntries(parts) } },
  );
}

function consumerRefuses({ name }: FormatSpec, n: number, problems: readonly string[]): ExportError {
  return new ExportError(
    "consumer_refused",
    `${name} would refuse ${n} pairs: ${problems.join("; ")}.`,
    "Mend or drop these pairs; validate: false writes them as they are.",
    { data: { refused: n } },
  );
}

function refuseCalls(check: RoundtripCheck): void {
  const { checked, invalid, rows, invalidCalls } = check.report();
  if (invalid === 0) return;
  const first = invalidCalls[0]!;
  throw new ExportError(
    "tool_call_roundtrip_invalid",
    `${invalid} of ${checked} tool calls do not read back as an object, first ${first.tool}(${first.arguments}) in pair ${first.row}. Training on them teaches string-wrapped arguments.`,
    "Mend or drop these pairs; validate: false writes them as they are.",
    { data: { checked, invalid, rows } },
  );
}

function leakOf({ nLeaked, nChecked, leaked }: ReturnType<LeakTally["report"]>): ExportError {
  const names = leaked.slice(0, NAMED).map(({ row, field }) => `pair ${row} (${field})`);
  return new ExportError(
    "privileged_leak",
    `${nLeaked} of ${nChecked} chosen sides checked quote their own privileged block: ${names.join(", ")}.`,
    "The export removes the block and cannot remove the quote: drop these pairs; validate: false exports them anyway.",
    { data: { nChecked, nLeaked, leaked } },
  );
}

function noPairs({ pairsIn, tiesDropped, noCompletionDropped }: Record<string, number>): ExportError {
  const what =
    pairsIn === 0
      ? "The source has no pairs."
      : `None of ${pairsIn} pairs is left: ${tiesDropped} are ties, ${noCompletionDropped} part in no agent turn with something before it.`;
  return new ExportError(
    "no_preference_pairs",
    what,
    pairsIn === 0
      ? "Check the file that should have them."
      : 'Build pairs whose sides part in an agent turn, or write them with format: "openai".',
    { data: { pairsIn, tiesDropped, noCompletionDropped } },
  );
}
