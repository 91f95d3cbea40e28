import { checkOptions, isObject, LeakTally, type Row, roundHalfEven, type ToolSchema, taskKey } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";
import { type Carry, Columns } from "../arrow/columns.ts";
import { newConversionCounts } from "../conversation/conversion-counts.ts";
import type { ToolOutputKeep } from "../conversation/tool-output-cap.ts";
import { type ConvertSettings, convertRow } from "../convert-row.ts";
import { type AgainstEval, EvalFilter } from "../eval-filter.ts";
import { ExportError } from "../export-error.ts";
import { carryOf } from "../export-options.ts";
import type { FormatCounts } from "../formats/format-counts.ts";
import type { FormatSpec } from "../formats/format-spec.ts";
import { getFormat, kindUnsupported } from "../formats/registry.ts";
import { newTextCounts } from "../json/json-text.ts";
import { flatText, type PackedRow, packRow, unpackRow } from "../json/packed-row.ts";
import { leaksRefused, partsRefused, rowsRefused } from "../report/refusals.ts";
import { RoundtripCheck } from "../roundtrip/roundtrip-check.ts";
import { rowName } from "../row-name.ts";
import { checkRows, rulesOf, type Source, type SourceParts, sourceParts } from "../source.ts";
import type { TrainingRow } from "../training-row.ts";
import { convertSettings, invalidOption } from "../training-rows.ts";
import { trlCompletion } from "../trl/to-trl.ts";
import type { KtoReply, KtoWriter } from "./kto-reply.ts";
import type { KtoReport } from "./kto-report.ts";
import { ktoWarnings } from "./kto-warnings.ts";

export interface KtoOptions {
  /** A consumer of the registry that reads judged replies (`trl`). */
  format?: string;
  /** The agent's rules, for every row; "" is none. Default: what the source and the rows know. */
  systemPrompt?: string;
  /** Function schemas for every row; [] is none. Default: each row's own, else the source's. */
  tools?: readonly ToolSchema[];
  /** Take `<think>` text out of replies. */
  stripThink?: boolean;
  /** Code points a tool message may have; null is no cap. */
  maxToolOutputChars?: number | null;
  /** What is kept of a tool message that has more: its beginning, its end, or half of each. */
  toolOutputKeep?: ToolOutputKeep;
  /** What travels beside the reply: `auto`, `columns` or `none`. Default: the format's. */
  carry?: Carry;
  /** Leave out rows that an evaluation holds, and count them: `evalMatcher(evaluation)` of `@while/trust`. */
  against?: AgainstEval;
  /** false writes what would be refused: calls that do not read back, wanted replies that leak, one class alone. */
  validate?: boolean;
}

const KTO_OPTIONS: readonly string[] = [
  ...["format", "systemPrompt", "tools", "stripThink", "maxToolOutputChars", "toolOutputKeep", "carry", "validate"],
  "against",
];

/** The lines of a file of judged replies, without their ends, and what `exportKto` would say about it. */
export interface KtoLines {
  lines: string[];
  report: KtoReport;
}

/** An export of judged replies with everything decided. */
export interface KtoSettings {
  spec: FormatSpec;
  writer: KtoWriter;
  carry: Carry;
  convert: ConvertSettings;
  validate: boolean;
  against: AgainstEval | undefined;
}

/** Rows that an error names. */
const NAMED = 3;
const NOTHING: Row = {};

/**
 * Graded rows as KTO reads them: what stood before the agent's last turn, that turn, and whether its reward is over 0.5.
 * One of exactly 0.5 is neither and left out.
 *
 * Tasks are dealt in turn. The trainer reads the file in order and estimates its baseline by giving each prompt the next
 * row's reply: two neighbours of one task would be a match where a mismatch is wanted, and bias it.
 *
 * @throws ExportError `format_unknown`, `kind_unsupported`, `invalid_option`, `unknown_role`, `schema_invalid`,
 * `consumer_refused`, `tool_call_roundtrip_invalid`, `privileged_leak`, `empty_export`
 */
export function ktoLines(source: Source, options: KtoOptions = {}): KtoLines {
  const parts = sourceParts<Iterable<Row>>(source);
  checkRows(parts.rows);
  const run = new KtoRun(ktoSettings(options, parts));
  for (const row of parts.rows) run.add(row);
  const { lines, report } = run.finish();
  return { lines, report };
}

/** Everything that can be checked before a row is read. @throws ExportError */
export function ktoSettings(
  options: KtoOptions,
  parts: Pick<SourceParts<unknown>, "rules" | "tools"> = { rules: rulesOf(null), tools: null },
): KtoSettings {
  checkOptions(options, KTO_OPTIONS, invalidOption);
  const { format = "trl", validate = true, carry, systemPrompt, tools, against, ...how } = options;
  const spec = getFormat(format);
  if (spec.kto === undefined) throw kindUnsupported(spec, "kto");
  const { stripThink, maxToolOutputChars, toolOutputKeep } = how;
  const convert = convertSettings(
    {
      maskMode: "final",
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(tools === undefined ? {} : { tools }),
      ...(stripThink === undefined ? {} : { stripThink }),
      ...(maxToolOutputChars === undefined ? {} : { maxToolOutputChars }),
      ...(toolOutputKeep === undefined ? {} : { toolOutputKeep }),
    },
    parts,
  );
  new EvalFilter(against);
  return { spec, writer: spec.kto, carry: carryOf(carry, spec), convert, validate, against };
}

/** Judged replies that come one at a time. The rows that are written are held until the last one is in. */
export class KtoRun {
  readonly settings: KtoSettings;
  readonly #counts = newConversionCounts();
  readonly #text = newTextCounts();
  readonly #roundtrip: RoundtripCheck;
  readonly #columns: Columns;
  readonly #leaks = { desirable: new LeakTally(), undesirable: new LeakTally() };
  readonly #byTask = new Map<string, PackedRow[]>();
  readonly #own: Required<FormatCounts> = { alternationDropped: 0, textBesideCall: 0 };
  readonly #problems: string[] = [];
  readonly #evaluation: EvalFilter;
  readonly #tally = {
    rowsIn: 0,
    n: 0,
    nDesirable: 0,
    nUndesirable: 0,
    ungradedDropped: 0,
    borderlineDropped: 0,
    noCompletionDropped: 0,
    trailingMessagesDropped: 0,
    withTools: 0,
    nRefused: 0,
  };

  constructor(settings: KtoSettings) {
    const { spec, writer, carry } = settings;
    this.settings = settings;
    this.#evaluation = new EvalFilter(settings.against);
    this.#roundtrip = new RoundtripCheck(spec.name, spec.encoding, "json_string");
    this.#columns = new Columns(carry, [...spec.columns, ...writer.columns]);
  }

  add(row: Row): void {
    if (!isObject(row)) return;
    const index = this.#tally.rowsIn++;
    const isHeld = this.#evaluation.has(row);
    const reply = isHeld ? null : this.#reply(row, index);
    // Each tally counts every row, so that its hits are named by their place in the source.
    this.#leaks.desirable.add(reply?.label === true ? row : NOTHING);
    this.#leaks.undesirable.add(reply?.label === false ? row : NOTHING);
    if (reply !== null) this.#write(row, index, reply);
  }

  /** @throws ExportError for what must not be written */
  finish(unsafeIntegers = 0): KtoLines & { columns: Map<string, string> } {
    const { spec, carry, writer } = this.settings;
    const calls = this.#roundtrip.report();
    const [desirable, undesirable] = [this.#leaks.desirable.report(), this.#leaks.undesirable.report()];
    this.#refuse();
    const { nRefused, ...tally } = this.#tally;
    const contaminated = this.#evaluation.report();
    const report: KtoReport = {
      kind: "kto",
      format: spec.name,
      path: null,
      sha256: null,
      bytes: null,
      ...tally,
      ...(contaminated === null ? {} : { contaminated }),
      suggestedDesirableWeight: suggestedWeight(tally),
      toolCallRoundtrip: calls,
      privilegedLeaks: {
        nChecked: desirable.nChecked + undesirable.nChecked,
        desirable: desirable.nLeaked,
        undesirable: undesirable.nLeaked,
      },
      requires: writer.requires ?? [],
      notCarried: this.#counts.notCarried,
      unstable: carry === "none" ? [] : this.#columns.unstable,
      ...Object.fromEntries((spec.counts ?? []).map(({ name }) => [name, this.#own[name]])),
      warnings: [],
    };
    report.warnings = ktoWarnings(report, { spec, nRefused, problems: this.#problems, unsafeIntegers });
    const lines = dealt([...this.#byTask.values()]).map((row) => {
      return flatText(this.#columns.line(unpackRow(row), this.#text));
    });
    return { lines, report, columns: this.#columns.types() };
  }

  /** null for a row that is left out. */
  #reply(row: Row, index: number): KtoReply | null {
    const tally = this.#tally;
    const { samples, reward } = convertRow(row, index, this.settings.convert, {
      counts: this.#counts,
      text: this.#text,
    });
    if (reward === null) {
      tally.ungradedDropped++;
      return null;
    }
    if (reward === PASS_THRESHOLD) {
      tally.borderlineDropped++;
      return null;
    }
    const sample = samples[0]!;
    const cut = trlCompletion(sample);
    if (cut === null) {
      tally.noCompletionDropped++;
      return null;
    }
    const reply = replyOf(sample, cut.row, reward > PASS_THRESHOLD);
    const dropped = this.settings.writer.isDropped?.(reply) ?? null;
    if (dropped !== null) {
      this.#own[dropped]++;
      return null;
    }
    tally.trailingMessagesDropped += cut.trailing;
    return reply;
  }

  #write(row: Row, index: number, reply: KtoReply): void {
    const { spec, writer } = this.settings;
    const tally = this.#tally;
    if (reply.label) tally.nDesirable++;
    else tally.nUndesirable++;
    if (reply.tools !== undefined) tally.withTools++;
    this.#roundtrip.add({ messages: [...reply.prompt, reply.reply], tools: reply.tools }, tally.n++);
    const problem = writer.check?.(reply) ?? null;
    if (problem !== null && tally.nRefused++ < NAMED) this.#problems.push(`${rowName(row, index)}: ${problem}`);
    for (const { name } of spec.counts ?? []) this.#own[name] += writer.counts?.(reply)[name] ?? 0;
    const written = writer.write(reply);
    this.#columns.add(written);
    const key = taskKey(row) || `row ${index}`;
    const task = this.#byTask.get(key);
    const packed = packRow(written, this.#text);
    if (task === undefined) this.#byTask.set(key, [packed]);
    else task.push(packed);
  }

  #refuse(): void {
    const { spec, validate } = this.settings;
    if (!validate) return;
    const { contentPartsDropped } = this.#counts;
    if (contentPartsDropped.size > 0) throw partsRefused(`${spec.name} rows`, contentPartsDropped);
    if (this.#problems.length > 0) throw rowsRefused(spec.name, this.#tally.nRefused, this.#problems);
    const { checked, invalid, rows, invalidCalls } = this.#roundtrip.report();
    if (invalid > 0) {
      const { tool, arguments: given, row } = invalidCalls[0]!;
      throw new ExportError(
        "tool_call_roundtrip_invalid",
        `${invalid} of ${checked} tool calls do not read back as an object, first ${tool}(${given}) in reply ${row}.`,
        "Mend or drop these rows, toolCallRoundtrip(rows) lists them; validate: false writes them as they are.",
        { data: { checked, invalid, rows } },
      );
    }
    const leaks = this.#leaks.desirable.report();
    if (leaks.nLeaked > 0) throw leaksRefused("wanted replies", leaks);
    const empty = emptyClass(this.#tally);
    if (empty !== null) throw empty;
  }
}

function replyOf(row: TrainingRow, trl: KtoReply["trl"], label: boolean): KtoReply {
  const at = row.loss_mask.lastIndexOf(1);
  const { tools } = row;
  return {
    prompt: row.messages.slice(0, at),
    reply: row.messages[at]!,
    label,
    ...(tools === undefined ? {} : { tools }),
    trl,
    row,
  };
}

/** One of each task in turn. */
function dealt<T>(hands: readonly (readonly T[])[]): T[] {
  const all: T[] = [];
  const longest = hands.reduce((most, hand) => Math.max(most, hand.length), 0);
  for (let round = 0; round < longest; round++) {
    for (const hand of hands) if (round < hand.length) all.push(hand[round]!);
  }
  return all;
}

function suggestedWeight({
  nDesirable,
  nUndesirable,
}: Pick<KtoReport, "nDesirable" | "nUndesirable">): readonly [number, number] | null {
  if (nDesirable === 0 || nUndesirable === 0) return null;
  const low = nUndesirable / nDesirable;
  return [roundHalfEven(low, 2), roundHalfEven((4 * low) / 3, 2)];
}

function emptyClass(
  tally: Pick<
    KtoReport,
    "rowsIn" | "nDesirable" | "nUndesirable" | "ungradedDropped" | "borderlineDropped" | "noCompletionDropped"
  >,
): ExportError | null {
  const { rowsIn, nDesirable, nUndesirable, ungradedDropped, borderlineDropped, noCompletionDropped } = tally;
  if (nDesirable > 0 && nUndesirable > 0) return null;
  const missing = nDesirable + nUndesirable === 0 ? "neither" : nDesirable === 0 ? "wanted" : "unwanted";
  const dropped = `${ungradedDropped} are ungraded, ${borderlineDropped} exactly 0.5, ${noCompletionDropped} have no agent turn with something before it`;
  return new ExportError(
    "empty_export",
    rowsIn === 0
      ? "The source has no rows."
      : missing === "neither"
        ? `None of ${rowsIn} rows is a judged reply: ${dropped}.`
        : `No reply is ${missing} (reward ${missing === "wanted" ? "over" : "under"} 0.5) among ${nDesirable + nUndesirable}; of ${rowsIn} rows ${dropped}.`,
    "KTO learns from both classes: add graded rows of the other; validate: false writes what there is.",
    { data: tally },
  );
}
