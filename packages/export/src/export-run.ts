import { formatLeakReport, isObject, LeakTally, type Row, roundHalfEven, rowKey, SeenIds } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";
import { ArgumentTypes } from "./arrow/argument-types.ts";
import { Columns } from "./arrow/columns.ts";
import { newConversionCounts } from "./conversation/conversion-counts.ts";
import { type ConvertedRow, convertRow } from "./convert-row.ts";
import { EvalFilter } from "./eval-filter.ts";
import { checkMaskSupport, type ExportSettings } from "./export-options.ts";
import type { FormatCounts } from "./formats/format-counts.ts";
import type { DroppedRow, FormatRow } from "./formats/format-spec.ts";
import type { Requirement } from "./formats/requirement.ts";
import { type GroupStamp, GroupTable } from "./group-table.ts";
import { newTextCounts, type TextCounts } from "./json/json-text.ts";
import { type Collected, newCollected } from "./report/collected.ts";
import type { ExportReport } from "./report/export-report.ts";
import { exportWarnings } from "./report/export-warnings.ts";
import { refuse } from "./report/refuse.ts";
import { type ArgumentEncoding, RoundtripCheck } from "./roundtrip/roundtrip-check.ts";
import { rowName } from "./row-name.ts";
import { TemplateCheck } from "./template/template-check.ts";
import type { TrainingRow } from "./training-row.ts";

/** The file that was written. */
export interface WrittenFile {
  path: string;
  sha256: string;
  bytes: number;
}

/** A value of each column of a stamp's type. */
const STAMP_TYPES: GroupStamp = { group_id: "", k: 0, n0: 0, n1: 0, reward_mean: 0, reward_std: 0 };

/** Hits that the report lists, and rows it names. */
const LISTED = 20;
const NAMED = 3;

/**
 * One export, in two passes over the rows: `survey` counts, types and checks, `decide` refuses, `lines` writes.
 * What it keeps grows with tasks and columns and not with rows, so that the rows may come from a file of any size.
 */
export class ExportRun {
  readonly #settings: ExportSettings;
  readonly #fromFile: boolean;
  readonly #leaks = new LeakTally();
  /** Conversations with what trains of them. */
  readonly #told = new SeenIds();
  readonly #groups = new GroupTable();
  readonly #columns: Columns;
  readonly #argumentTypes = new ArgumentTypes();
  readonly #roundtrip: RoundtripCheck;
  readonly #encoding: ArgumentEncoding;
  /** Calls do not stand in the written row as such, so they are read back before. */
  readonly #rewritesCalls: boolean;
  readonly #seen: Collected = newCollected();
  readonly #text: TextCounts = newTextCounts();
  readonly #loneRows: string[] = [];
  readonly #own: Required<FormatCounts> = { alternationDropped: 0, textBesideCall: 0 };
  readonly #probe: TemplateCheck | null;
  readonly #evaluation: EvalFilter;
  /** Places of the rows that the evaluation holds: what was left out of the survey is left out of the lines. */
  readonly #contaminated = new Set<number>();
  #nLoneRows = 0;
  #isStampTyped = false;
  #at = 0;

  constructor(settings: ExportSettings, fromFile: boolean) {
    const { spec, format, carry } = settings;
    this.#settings = settings;
    this.#evaluation = new EvalFilter(settings.against);
    this.#probe = format.template === null ? null : new TemplateCheck(spec, format, format.template);
    this.#fromFile = fromFile;
    this.#columns = new Columns(carry, spec.columns);
    const isInline = (spec.inline?.(format) ?? null) !== null;
    this.#rewritesCalls = isInline || spec.rewritesCalls === true;
    this.#encoding = isInline ? "text" : format.argumentsAs === "string" ? "json_string" : spec.encoding;
    this.#roundtrip = new RoundtripCheck(spec.name, this.#encoding, this.#rewritesCalls ? "json_string" : undefined);
  }

  /** First pass: one row, in order. */
  survey(row: Row): void {
    const seen = this.#seen;
    if (!isObject(row)) {
      seen.skipped++;
      return;
    }
    const index = seen.rowsIn++;
    const isEval = isEvalSourced(row);
    if (isEval && this.#settings.dropEvalSourced) {
      seen.evalSourcedDropped++;
      return;
    }
    if (this.#evaluation.has(row)) {
      this.#contaminated.add(index);
      return;
    }
    const leak = this.#leaks.add(row);
    if (leak === null && Array.isArray(row.messages) && row.schema_version !== undefined) seen.looksExported = true;
    if (row.finish_reason === "length") seen.finishLength++;
    if (isEval) seen.evalSourced++;
    const converted = this.#convert(row, index, seen.counts, newTextCounts());
    seen.messagesIn += converted.nMessages;
    for (const sample of converted.samples) this.#surveySample(sample, converted, () => rowName(row, index));
  }

  /** Between the passes: refuses what must not be written. */
  decide(): void {
    this.#probe?.decide(this.#settings.validate);
    this.#seen.contaminated = this.#evaluation.report()?.n ?? 0;
    refuse(this.#settings, this.#seen, this.#roundtrip.report(), this.#leaks.report(), this.#own);
  }

  /** Second pass: the lines of one row, in the same order. */
  lines(row: Row): string[] {
    if (!isObject(row)) return [];
    const index = this.#at++;
    if (this.#settings.dropEvalSourced && isEvalSourced(row)) return [];
    if (this.#contaminated.has(index)) return [];
    const counts = newTextCounts();
    const converted = this.#convert(row, index, newConversionCounts(), counts);
    const stamp = this.#groups.stamp(converted.groupKey);
    const lines: string[] = [];
    for (const sample of converted.samples) {
      // The samples were made for this call and belong to nobody else.
      const shaped = this.#shape(stamp === null ? sample : Object.assign(sample, stamp));
      if (shaped === null || "dropped" in shaped) continue;
      if (stamp !== null) this.#typeStamp(shaped.row);
      lines.push(this.#columns.line(shaped.row, counts));
    }
    this.#text.nonfinite += counts.nonfinite;
    if (counts.loneSurrogates > 0) {
      this.#nLoneRows++;
      if (this.#loneRows.length < LISTED) this.#loneRows.push(rowKey(row));
    }
    return lines;
  }

  /** Columns of the file with their types. */
  columnTypes(): Map<string, string> {
    return this.#columns.types();
  }

  /** @param written null when nothing was asked to be written */
  report(written: WrittenFile | null, more: Pick<ExportReport, "buffered" | "unsafeIntegers"> = {}): ExportReport {
    const { spec, format, carry, convert } = this.#settings;
    const seen = this.#seen;
    const leaks = this.#leaks.report();
    const contaminated = this.#evaluation.report();
    const unstable = carry === "none" ? [] : this.#columns.unstable;
    const report: ExportReport = {
      n: seen.n,
      rowsIn: seen.rowsIn,
      nWritten: written === null ? 0 : seen.n,
      path: written?.path ?? null,
      sha256: written?.sha256 ?? null,
      bytes: written?.bytes ?? null,
      format: spec.name,
      withSystem: seen.withSystem,
      withTools: seen.withTools,
      groups: this.#groups.nStamped,
      toolCallRoundtrip: this.#roundtrip.report(),
      maskMode: spec.maskSentence(format),
      trlVersion: spec.options.includes("trlVersion") ? format.trlVersion : null,
      unrolled: convert.unroll,
      maxToolOutputChars: convert.maxToolOutputChars,
      toolOutputTruncated: seen.toolOutputTruncated,
      toolOutputCharsCut: seen.toolOutputCharsCut,
      trainedMessages: seen.trainedMessages,
      maskedMessages: seen.maskedMessages,
      privilegedLeaks: {
        checked: leaks.checked,
        nChecked: leaks.nChecked,
        nLeaked: leaks.nLeaked,
        nShown: leaks.nShown,
        leaked: leaks.leaked,
        summary: formatLeakReport({ ...leaks, leaked: [] }),
      },
      rewards: { nPass: seen.nPass, nFail: seen.nFail, nUngraded: seen.nUngraded },
      noCompletionDropped: seen.noCompletionDropped,
      trailingMessagesDropped: seen.trailingMessagesDropped + seen.counts.trailingAfterUnroll,
      requires: this.#requires(),
      arrow: {
        moved: carry === "auto" ? unstable : [],
        unstable: carry === "columns" ? unstable : [],
        argumentTypes: this.#argumentTypes.conflicts(),
      },
      warnings: [],
      ...this.#ownCounts(),
      ...(contaminated === null ? {} : { contaminated }),
      ...(this.#settings.isThinkDecided ? { stripThink: convert.stripThink } : {}),
      ...countersAboveZero(seen, this.#text, { nLone: this.#nLoneRows, loneRows: this.#loneRows }, more),
      ...(convert.unroll && seen.messagesIn > 0
        ? { unrollMessageFactor: roundHalfEven(seen.messagesOut / seen.messagesIn, 4) }
        : {}),
    };
    report.warnings = exportWarnings(report, {
      seen,
      settings: this.#settings,
      fromFile: this.#fromFile,
      padded: this.#argumentTypes.padded(),
    });
    if (this.#probe !== null) {
      report.probe = this.#probe.report();
      report.warnings.push(...this.#probe.warnings(report));
    }
    return report;
  }

  #ownCounts(): FormatCounts & Pick<ExportReport, "inline"> {
    const { spec, format } = this.#settings;
    const inline = spec.inline?.(format) ?? null;
    const counts = (spec.counts ?? []).map(({ name }) => [name, this.#own[name]]);
    return { ...Object.fromEntries(counts), ...(inline === null ? {} : { inline }) };
  }

  #convert(row: Row, index: number, counts: Collected["counts"], text: TextCounts): ConvertedRow {
    const { spec, convert } = this.#settings;
    const converted = convertRow(row, index, convert, { counts, text });
    if (converted.nHeldOut > 0) checkMaskSupport(spec, convert, rowName(row, index));
    return converted;
  }

  /** The stamp came after the survey, and its types are known. */
  #typeStamp(row: Record<string, unknown>): void {
    if (this.#isStampTyped) return;
    this.#isStampTyped = true;
    this.#columns.add(Object.fromEntries(Object.entries(STAMP_TYPES).filter(([key]) => key in row)));
  }

  #shape(sample: TrainingRow): FormatRow | DroppedRow | null {
    return this.#settings.spec.writeSft!(sample, this.#settings.format);
  }

  #surveySample(sample: TrainingRow, { groupKey, reward }: ConvertedRow, name: () => string): void {
    const seen = this.#seen;
    const shaped = this.#shape(sample);
    if (shaped === null) {
      seen.noCompletionDropped++;
      return;
    }
    if ("dropped" in shaped) {
      this.#own[shaped.dropped]++;
      return;
    }
    for (const { name } of this.#settings.spec.counts ?? []) this.#own[name] += shaped.counts?.[name] ?? 0;
    const { row } = shaped;
    const index = seen.n++;
    // Rows that the shape cannot hold are not of the group that the file has.
    this.#groups.add(groupKey, reward);
    if (this.#told.add(JSON.stringify([sample.messages, sample.loss_mask]), 0, index) !== null) seen.duplicateRows++;
    this.#columns.add(row);
    this.#surveyCalls(sample, row, index, name);
    this.#probe?.add(sample, row, name);
    const problem = this.#settings.spec.check?.(row, sample, this.#settings.format) ?? null;
    if (problem !== null && seen.nRefused++ < NAMED) seen.refused.push(`${name()}: ${problem}`);

    seen.messagesOut += sample.messages.length;
    seen.trainedMessages += shaped.trainedMessages;
    seen.maskedMessages += shaped.maskedMessages;
    seen.trailingMessagesDropped += shaped.trailingMessages;
    seen.toolOutputTruncated += sample.tool_output_truncated ?? 0;
    seen.toolOutputCharsCut += sample.tool_output_chars_cut ?? 0;
    if (sample.messages[0]?.role === "system") seen.withSystem++;
    if (sample.tools !== undefined) seen.withTools++;
    if (reward === null) seen.nUngraded++;
    else if (reward < PASS_THRESHOLD) seen.nFail++;
    else seen.nPass++;
    const isFailing = reward !== null && reward < PASS_THRESHOLD;
    if (isFailing && sample.unroll !== undefined && sample.unroll.turns > 1) seen.unrolledFailing++;
  }

  #surveyCalls(sample: TrainingRow, row: Record<string, unknown>, index: number, name: () => string): void {
    const seen = this.#seen;
    const invalidBefore = this.#roundtrip.report().invalid;
    this.#roundtrip.add(this.#rewritesCalls ? sample : row, index);
    if (this.#roundtrip.report().invalid > invalidBefore && seen.invalidCallRows.length < NAMED) {
      seen.invalidCallRows.push(name());
    }
    let calls = 0;
    for (const { tool_calls: list } of sample.messages) calls += list?.length ?? 0;
    if (calls > 0 && sample.tools === undefined) seen.callsWithoutTools++;
    if (Array.isArray(row.tools)) this.#argumentTypes.addTools(row.tools, index);
    if (this.#encoding !== "dict" || calls === 0) return;
    for (const key of ["messages", "prompt", "completion"]) {
      const messages = row[key];
      if (!Array.isArray(messages)) continue;
      for (const message of messages) {
        for (const call of message.tool_calls ?? []) {
          this.#argumentTypes.addCall(call.function.name, call.function.arguments, index);
        }
      }
    }
  }

  #requires(): Requirement[] {
    const { spec, format } = this.#settings;
    const requires = spec.requires(format);
    const padded = this.#argumentTypes.padded();
    if (padded !== null) {
      const { tool, row, argument } = padded;
      const why = `a column reader without a JSON type adds ${argument}: null to the call of ${tool} in row ${row}, and the template prints it`;
      requires.push({ setting: "datasets", value: ">= 4.7", why });
    }
    return requires;
  }
}

function isEvalSourced({ lineage }: Row): boolean {
  return isObject(lineage) && lineage.source === "eval";
}

function countersAboveZero(
  { counts, skipped, evalSourced, evalSourcedDropped, duplicateRows, finishLength }: Collected,
  text: TextCounts,
  { nLone, loneRows }: { nLone: number; loneRows: string[] },
  { buffered, unsafeIntegers = 0 }: Pick<ExportReport, "buffered" | "unsafeIntegers">,
): Partial<ExportReport> {
  const all: Partial<ExportReport> = {
    skipped,
    buffered: buffered === true,
    systemReplaced: counts.systemReplaced,
    systemPromptUnresolved: counts.systemPromptUnresolved,
    systemPromptMismatch: counts.systemPromptMismatch,
    contentPartsDropped: counts.contentPartsDropped,
    messageFieldsDropped: counts.messageFieldsDropped,
    notCarried: counts.notCarried,
    blockedNamesKept: counts.blockedNamesKept,
    orphanToolMessages: counts.orphanToolMessages,
    unansweredCalls: counts.unansweredCalls,
    emptyAssistantTurns: counts.emptyAssistantTurns,
    turnsHeldOut: counts.turnsHeldOut,
    thinkRemoved: counts.thinkRemoved,
    thinkUnclosed: counts.thinkUnclosed,
    rewardNotNumeric: counts.rewardNotNumeric,
    nonfinite: text.nonfinite,
    unsafeIntegers,
    loneSurrogates: nLone,
    loneSurrogateRows: loneRows,
    evalSourced,
    evalSourcedDropped,
    duplicateRows,
    finishLength,
  };
  const above = Object.entries(all).filter(([, value]) => {
    if (value instanceof Map) return value.size > 0;
    return Array.isArray(value) ? value.length > 0 : Number(value) > 0;
  });
  return Object.fromEntries(above);
}
