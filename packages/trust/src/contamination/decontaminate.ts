import { isObject, type Row, type RowSource } from "@while/schema";
import { checkedIndex, indexOf } from "./build-eval-index.ts";
import type { DecontaminationReport } from "./decontamination-report.ts";
import { type EvalIndex, indexRows } from "./eval-index.ts";
import { type Against, evalRowsSync, isEvalIndex, SOURCE_NAMES, type SourceOptions } from "./eval-sources.ts";
import type { FalseAlarms } from "./false-alarms.ts";
import type { RowFinding } from "./finding.ts";
import { measuredFalseAlarms, measuredFalseAlarmsSync } from "./measured-false-alarms.ts";
import { type DecontaminateOptions, type Settings, settingsOf } from "./options.ts";
import { JUDGE_NAMES, type QuestionJudgeOptions, QuestionJudging } from "./question-judge.ts";
import { RowMatcher } from "./row-matcher.ts";
import { SEMANTIC_NAMES, SemanticMatcher, type SemanticOptions } from "./semantic-matcher.ts";
import { DecontaminationTally } from "./tally.ts";

/** Rows without those of the evaluation, with the source's own system prompt and tools. */
export interface Decontaminated extends RowSource {
  rows: Row[];
  report: DecontaminationReport;
}

export type DecontaminateAllOptions = DecontaminateOptions &
  SourceOptions &
  SemanticOptions &
  QuestionJudgeOptions & {
    /** Told of what makes a result doubtful. Without it nothing is printed; the report has the same sentences. */
    onWarning?: (text: string) => void;
  };

const NAMES = [...SOURCE_NAMES, ...SEMANTIC_NAMES, ...JUDGE_NAMES, "onWarning"];

/**
 * Training rows that an evaluation already holds, dropped, each under the first rule that caught it: a shared task id;
 * an evaluation text word for word; 8-grams of one evaluation text over 80% of the row's words; a whole evaluation text
 * inside a longer row; and, with an embedder, a cosine of 0.85 to a prompt of another task. Rows that only read as
 * reworded are listed and kept. The rows that are left are the same objects, in order.
 *
 * A leak that the base model saw before this training is in no row, and no check of rows finds it.
 *
 * @param source Training rows, or a run or selection that has them
 * @param against Rows of the evaluation, files, dataset ids, a list of these, or an index from `buildEvalIndex`
 * @throws TrustError `bad_option`, `bad_source`, `bad_row`, `bad_vectors`, `bad_index`
 */
export async function decontaminate(
  source: readonly Row[] | RowSource,
  against: Against,
  options: DecontaminateAllOptions = {},
): Promise<Decontaminated> {
  const settings = settingsOf(options, NAMES);
  const { embedder, onWarning } = options;
  const index = await indexOf(against, settings, options);
  const semantic =
    embedder === undefined ? null : await SemanticMatcher.open(index, settings, { ...options, embedder });
  const judging = QuestionJudging.open(index, options);
  const given = sourceOf(source);
  const matcher = matcherFor(given.rows, index, settings);
  const rows = given.rows.filter((row) => isObject(row));
  const findings = matchAll(rows, matcher);
  await semantic?.match(rows, findings);
  await judging?.settle(rows, findings);
  const falseAlarms = await measuredFalseAlarms(matcher, semantic, options.knownClean);
  const result = settled(given, rows, findings, { index, settings, matcher, semantic, judging, falseAlarms });
  for (const text of warned(result.report, semantic !== null)) onWarning?.(text);
  return result;
}

/**
 * The same without waiting, for lists of rows and without an embedder.
 *
 * @throws TrustError as `decontaminate`
 */
export function decontaminateSync(
  source: readonly Row[] | RowSource,
  against: readonly Row[] | readonly (readonly Row[])[] | EvalIndex,
  options: DecontaminateOptions = {},
): Decontaminated {
  const settings = settingsOf(options);
  const given = sourceOf(source);
  const index = isEvalIndex(against) ? checkedIndex(against, settings) : indexOfLists(against, settings);
  const matcher = matcherFor(given.rows, index, settings);
  const rows = given.rows.filter((row) => isObject(row));
  const falseAlarms = measuredFalseAlarmsSync(matcher, options.knownClean);
  return settled(given, rows, matchAll(rows, matcher), {
    index,
    settings,
    matcher,
    semantic: null,
    judging: null,
    falseAlarms,
  });
}

function indexOfLists(against: unknown, settings: Settings): EvalIndex {
  const { rows, emptySources } = evalRowsSync(against);
  return indexRows(rows, settings, emptySources);
}

function sourceOf(source: readonly Row[] | RowSource): RowSource {
  return "rows" in source ? source : { rows: source };
}

function matcherFor(rows: readonly Row[], index: EvalIndex, settings: Settings): RowMatcher {
  const matcher = new RowMatcher(index, settings);
  if (settings.rowBackground === null) return matcher;
  const counts = new Uint32Array(index.grams.starts.length - 1);
  let n = 0;
  for (const row of rows) {
    if (!isObject(row)) continue;
    n++;
    matcher.countGrams(row, counts);
  }
  matcher.ignore(commonGrams(counts, n, settings.rowBackground));
  return matcher;
}

/** 1 for runs that more than this share of the rows have; null where there is none. */
export function commonGrams(counts: Uint32Array, nRows: number, share: number): Uint8Array | null {
  const common = Uint8Array.from(counts, (count) => (count > share * nRows ? 1 : 0));
  return common.includes(1) ? common : null;
}

function matchAll(rows: readonly Row[], matcher: RowMatcher): RowFinding[] {
  return rows.map((row, index) => matcher.match(row, index));
}

function settled(
  given: RowSource,
  rows: readonly Row[],
  findings: readonly RowFinding[],
  made: {
    index: EvalIndex;
    settings: Settings;
    matcher: RowMatcher;
    semantic: SemanticMatcher | null;
    judging: QuestionJudging | null;
    falseAlarms: FalseAlarms;
  },
): Decontaminated {
  const tally = new DecontaminationTally(made.index, made.settings);
  for (const [index, finding] of findings.entries()) tally.add(index, finding);
  const { matcher, semantic, judging, falseAlarms } = made;
  const report = tally.report({
    ...matcher.relatedReading(),
    ...{ semantic: semantic?.reading() ?? null, judge: judging?.reading() ?? null, falseAlarms },
  });
  return { ...given, rows: rows.filter((_, index) => findings[index]!.hit === null), report };
}

let hasWarnedOfRewording = false;

/** What a caller is told beside the report: its warnings, a rule that was asked for and could not run, and once a process what no rule sees. */
function* warned(report: DecontaminationReport, isSemantic: boolean): Generator<string> {
  yield* report.warnings;
  if (report.rulesSkipped.has("semantic"))
    yield `${report.rulesSkipped.get("semantic")}: the semantic rule did not run.`;
  if (isSemantic || hasWarnedOfRewording) return;
  hasWarnedOfRewording = true;
  yield "Without an embedder, rows that ask an evaluation question in other words are not dropped.";
}
