import { checkOptions, codePointLength, LeakTally, roundHalfEven, type ToolSchema } from "@while/schema";
import { type Carry, Columns } from "../arrow/columns.ts";
import { newConversionCounts } from "../conversation/conversion-counts.ts";
import { type ConvertSettings, convertRow } from "../convert-row.ts";
import { carryOf } from "../export-options.ts";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { FormatSpec } from "../formats/format-spec.ts";
import { getFormat, kindUnsupported } from "../formats/registry.ts";
import { newTextCounts } from "../json/json-text.ts";
import { flatText, type PackedRow, packRow, unpackRow } from "../json/packed-row.ts";
import { partsRefused, rowsRefused } from "../report/refusals.ts";
import { RoundtripCheck } from "../roundtrip/roundtrip-check.ts";
import { type Rules, rulesOf } from "../source.ts";
import type { TrainingRow, WireMessage } from "../training-row.ts";
import { convertSettings, invalidOption } from "../training-rows.ts";
import { besides, checkedPairs, sideRow, textOfAsk } from "./checked-pairs.ts";
import { beginAlike, branchTurn, type Divergence, oneTurn } from "./one-turn.ts";
import { PairQualityTally } from "./pair-quality.ts";
import { type PreferenceReport, preferenceWarnings } from "./preference-report.ts";
import { leakOf, NAMED, noPairs, refuseCalls } from "./refuse-pairs.ts";
import type { PairSource, PreferenceWriter, WirePair } from "./wire-pair.ts";

/** `preference`: for trainers that compare replies (DPO and its kin). `reward-model`: for those that learn to score. */
export type PairKind = "preference" | "reward-model";

/** Where a pair is cut to one turn: at the first that differs, or at the turn it was sampled from on purpose. */
export const PAIR_POINTS = ["first", "branch"] as const;
export type PairPoint = (typeof PAIR_POINTS)[number];

export interface PreferenceOptions {
  /** A consumer of the registry that reads pairs, by name or alias (`openai`; for a reward model `trl`). */
  format?: string;
  /** The agent's rules, for both sides; "" is none. Default: what the rows know. */
  systemPrompt?: string;
  /** Function schemas for every pair; [] is none. Default: those of the chosen row. */
  tools?: readonly ToolSchema[];
  /** Take `<think>` text out of replies. */
  stripThink?: boolean;
  /** Drop pairs whose `tie` says that neither side is better. */
  dropTies?: boolean;
  /**
   * `first` (the default) compares the first turn that differs. `branch` compares the agent turn that
   * `lineage.branch_at` numbers, from 0: the sides were sampled from there on, and pairs without it are left out.
   */
  point?: PairPoint;
  /** What travels beside the pair: `auto`, `columns` or `none`. Default: the format's. */
  carry?: Carry;
  /** false writes what would be refused: calls that do not read back, chosen sides that leak, no pair at all. */
  validate?: boolean;
}

export interface RewardModelOptions extends Omit<PreferenceOptions, "point"> {
  /** Write the margin of each pair: trainers that find such a column subtract it inside the loss. */
  marginColumn?: boolean;
}

const PAIR_OPTIONS: Readonly<Record<PairKind, readonly string[]>> = {
  preference: ["format", "systemPrompt", "tools", "stripThink", "dropTies", "point", "carry", "validate"],
  "reward-model": ["format", "systemPrompt", "tools", "stripThink", "dropTies", "marginColumn", "carry", "validate"],
};

/** What the pairs themselves do not say. */
export interface PairContext {
  rules?: Rules;
  tools?: readonly ToolSchema[] | null;
  unsafeIntegers?: number;
  /** The file that is going to be written. */
  output?: string | null;
}

/** A file of pairs before it is written. */
export interface PairFile {
  lines: string[];
  report: PreferenceReport;
  settings: PairSettings;
  /** Columns with their types. */
  columns: Map<string, string>;
}

/** An export of pairs with everything decided. */
export interface PairSettings {
  kind: PairKind;
  spec: FormatSpec;
  writer: PreferenceWriter;
  carry: Carry;
  convert: ConvertSettings;
  dropTies: boolean;
  point: PairPoint;
  marginColumn: boolean;
  validate: boolean;
}

/** The lines of pairs of either kind. @throws ExportError as `preferenceLines` and `rewardModelLines` do */
export function pairLines(
  pairs: Iterable<PairSource>,
  settings: PairSettings,
  { unsafeIntegers = 0, output = null }: PairContext = {},
): PairFile {
  const { kind, spec, writer, carry, convert, dropTies, point, marginColumn, validate } = settings;
  const counts = newConversionCounts();
  const text = newTextCounts();
  const roundtrip = new RoundtripCheck(spec.name, spec.encoding, "json_string");
  const leaks = { chosen: new LeakTally(), rejected: new LeakTally() };
  const columns = new Columns(carry, [...spec.columns, ...(marginColumn ? ["margin"] : [])]);
  const rows: PackedRow[] = [];
  const notCarried = new Map<string, number>();
  const quality = new PairQualityTally();
  const tally = {
    pairsIn: 0,
    tiesDropped: 0,
    noBranchDropped: 0,
    noCompletionDropped: 0,
    turnsCut: 0,
    longer: 0,
    firstTurnIdentical: 0,
    mixedPolicies: 0,
    refused: 0,
  };
  const odd = new Map<string, number>();
  const own: Required<FormatCounts> = { alternationDropped: 0, textBesideCall: 0 };
  const problems: string[] = [];
  const margins: number[] = [];
  for (const pair of checkedPairs(pairs)) {
    const index = tally.pairsIn++;
    if (dropTies && pair.tie) {
      tally.tiesDropped++;
      continue;
    }
    const branch = point === "branch" ? branchOf(pair) : null;
    if (point === "branch" && branch === null) {
      tally.noBranchDropped++;
      continue;
    }
    const [better, worse] = [sideRow(pair, "chosen"), sideRow(pair, "rejected")];
    const side = (row: typeof better): TrainingRow => convertRow(row, index, convert, { counts, text }).samples[0]!;
    const [chosen, rejected] = [side(better), side(worse)];
    const schemas = chosen.tools ?? rejected.tools;
    const whole: WirePair = {
      ask: textOfAsk(pair, better),
      prompt: [],
      chosen: chosen.messages,
      rejected: rejected.messages,
      ...(schemas === undefined ? {} : { tools: schemas }),
      beside: besides(pair, notCarried),
    };
    if (kind === "reward-model" && !marginColumn) delete whole.beside.margin;
    const parting = branch === null ? oneTurn(whole.chosen, whole.rejected) : branchTurn(whole, branch);
    if (writer.sides === "turn" && parting === null) {
      tally.noCompletionDropped++;
      continue;
    }
    const written = writer.sides === "turn" ? cutAt(whole, parting!) : whole;
    if (kind === "preference" && parting !== null) {
      quality.add(cutAt(whole, parting), pair, whole.rejected.length > parting.at + 1);
    }
    // A side that is not written cannot leak.
    leaks.chosen.add(better);
    leaks.rejected.add(worse);
    if (writer.sides === "turn" && parting!.cut) tally.turnsCut++;
    if (lengthDelta(pair, whole) > 0) tally.longer++;
    if (
      pair.first_turn_differs === false ||
      (pair.first_turn_differs !== true && beginAlike(whole.chosen, whole.rejected))
    ) {
      tally.firstTurnIdentical++;
    }
    if (pair.same_policy === false) tally.mixedPolicies++;
    const margin = typeof pair.margin === "number" && Number.isFinite(pair.margin) ? pair.margin : null;
    if (margin !== null) margins.push(margin);
    roundtrip.add({ ...written }, rows.length);
    const problem = marginColumn && margin === null ? "it has no margin" : (writer.check?.(written) ?? null);
    if (problem !== null && tally.refused++ < NAMED) problems.push(`pair ${index}: ${problem}`);
    for (const { name } of spec.counts ?? []) own[name] += writer.counts?.(written)[name] ?? 0;
    for (const { code, applies } of writer.warns ?? []) if (applies(written)) odd.set(code, (odd.get(code) ?? 0) + 1);
    const row = writer.write(written);
    columns.add(row);
    rows.push(packRow(row, text));
  }

  const [leakedChosen, leakedRejected] = [leaks.chosen.report(), leaks.rejected.report()];
  if (validate) {
    if (counts.contentPartsDropped.size > 0) throw partsRefused(`${spec.name} pairs`, counts.contentPartsDropped);
    if (problems.length > 0) throw rowsRefused(spec.name, tally.refused, problems, "pairs");
    refuseCalls(roundtrip);
    if (leakedChosen.nLeaked > 0) throw leakOf(leakedChosen);
    if (rows.length === 0) throw noPairs(tally);
  }
  const n = rows.length;
  const { longer, pairsIn, tiesDropped, noCompletionDropped, noBranchDropped, turnsCut } = tally;
  const measured = quality.quality();
  const report: Omit<PreferenceReport, "warnings"> = {
    kind,
    pairs: n,
    pairsIn,
    format: spec.name,
    path: null,
    sha256: null,
    bytes: null,
    toolCallRoundtrip: roundtrip.report(),
    tiesDropped,
    noCompletionDropped,
    ...(point === "branch" ? { noBranchDropped } : {}),
    turnsCut,
    turnsCutShare: n === 0 ? null : roundHalfEven(turnsCut / n, 4),
    ...(spec.name === "trl" && kind === "preference" ? { trlTurnsCut: turnsCut } : {}),
    ...(spec.name === "fireworks" ? { fireworksTurnsCut: turnsCut } : {}),
    chosenLongerFrac: n === 0 ? null : roundHalfEven(longer / n, 3),
    firstTurnIdentical: tally.firstTurnIdentical,
    meanMargin: margins.length === 0 ? null : roundHalfEven(meanOf(margins), 4),
    ...measured,
    mixedPolicies: tally.mixedPolicies,
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
  for (const { code, says } of writer.warns ?? []) {
    const count = odd.get(code) ?? 0;
    if (count > 0) warnings.push({ code, text: says(count, n) });
  }
  const lines = rows.map((row) => flatText(columns.line(unpackRow(row), text)));
  return { lines, report: { ...report, warnings }, settings, columns: columns.types() };
}

/** Everything that can be checked before a pair is read. @throws ExportError */
export function pairSettings(
  kind: PairKind,
  options: PreferenceOptions & RewardModelOptions,
  { rules = rulesOf(null), tools: known = null }: PairContext = {},
): PairSettings {
  checkOptions(options, PAIR_OPTIONS[kind], invalidOption);
  const { dropTies = true, validate = true, stripThink = true, systemPrompt, tools, point = "first" } = options;
  const spec = getFormat(options.format ?? (kind === "preference" ? "openai" : "trl"));
  const writer = kind === "preference" ? spec.preference : spec.rewardModel;
  if (writer === undefined) throw kindUnsupported(spec, kind);
  if (!PAIR_POINTS.includes(point)) {
    throw invalidOption(`point is ${JSON.stringify(point)}.`, `Give one of ${PAIR_POINTS.join(", ")}.`);
  }
  if (point === "branch" && writer.sides === "whole") {
    throw invalidOption(
      `point is "branch", and ${spec.name} pairs are whole conversations.`,
      "Leave it out, or choose a format that compares one turn, such as trl.",
    );
  }
  const carry = carryOf(options.carry, spec);
  const given = { ...(systemPrompt === undefined ? {} : { systemPrompt }), ...(tools === undefined ? {} : { tools }) };
  const convert = convertSettings({ stripThink, ...given }, { rules, tools: known });
  const marginColumn = options.marginColumn ?? false;
  return { kind, spec, writer, carry, convert, dropTies, point, marginColumn, validate };
}

/** The number of the agent turn that the sides were sampled from; null when the pair does not say. */
function branchOf({ lineage }: PairSource): number | null {
  const at = typeof lineage === "object" && lineage !== null ? (lineage as { branch_at?: unknown }).branch_at : null;
  return typeof at === "number" && Number.isInteger(at) && at >= 0 ? at : null;
}

function cutAt(pair: WirePair, { at }: Divergence): WirePair {
  return { ...pair, prompt: pair.chosen.slice(0, at), chosen: [pair.chosen[at]!], rejected: [pair.rejected[at]!] };
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
