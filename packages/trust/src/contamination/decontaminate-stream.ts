import { isObject, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { indexOf } from "./build-eval-index.ts";
import type { DecontaminateAllOptions } from "./decontaminate.ts";
import type { DecontaminationReport } from "./decontamination-report.ts";
import { type Against, SOURCE_NAMES } from "./eval-sources.ts";
import type { Hit } from "./finding.ts";
import { measuredFalseAlarms } from "./measured-false-alarms.ts";
import { settingsOf } from "./options.ts";
import { JUDGE_NAMES, QuestionJudging } from "./question-judge.ts";
import { RowMatcher } from "./row-matcher.ts";
import { SEMANTIC_NAMES, SemanticMatcher } from "./semantic-matcher.ts";
import { DecontaminationTally } from "./tally.ts";

/** Rows that an embedder or a judge is asked about together. */
const SEMANTIC_ROWS = 512;

/** A row, and what it was to be dropped for; null for a clean one. */
export interface JudgedRow {
  row: Row;
  hit: Hit | null;
}

/** Rows one after the other, and the report once they are through. */
export interface DecontaminationStream extends AsyncIterable<JudgedRow> {
  /** @throws TrustError `bad_option` while there are rows left */
  report(): DecontaminationReport;
}

/**
 * `decontaminate` for rows that do not fit into memory: each comes back in order with what it is to be dropped for.
 * `rowBackground` needs the rows twice and is refused here.
 *
 * @throws TrustError as `decontaminate`
 */
export function decontaminateStream(
  source: Iterable<Row> | AsyncIterable<Row>,
  against: Against,
  options: Omit<DecontaminateAllOptions, "rowBackground" | "onWarning"> = {},
): DecontaminationStream {
  const settings = settingsOf(options, [...SOURCE_NAMES, ...SEMANTIC_NAMES, ...JUDGE_NAMES]);
  if (settings.rowBackground !== null) {
    throw new TrustError(
      "bad_option",
      "rowBackground counts the rows before it compares them, and a stream passes once.",
      "Use decontaminate, or decontaminateFile of @while/trust/files.",
    );
  }
  let report: DecontaminationReport | null = null;
  async function* judged(): AsyncGenerator<JudgedRow> {
    const index = await indexOf(against, settings, options);
    const { embedder } = options;
    const semantic =
      embedder === undefined ? null : await SemanticMatcher.open(index, settings, { ...options, embedder });
    const judging = QuestionJudging.open(index, options);
    const matcher = new RowMatcher(index, settings);
    const tally = new DecontaminationTally(index, settings);
    let n = 0;
    async function* settled(rows: readonly Row[]): AsyncGenerator<JudgedRow> {
      const findings = rows.map((row, i) => matcher.match(row, n + i));
      await semantic?.match(rows, findings);
      await judging?.settle(rows, findings);
      for (const [i, row] of rows.entries()) {
        const { hit } = findings[i]!;
        tally.add(n, findings[i]!);
        yield { row, hit: hit === null ? null : { index: n, ...hit } };
        n++;
      }
    }
    let waiting: Row[] = [];
    for await (const row of source) {
      if (!isObject(row)) continue;
      waiting.push(row);
      if (waiting.length < (semantic === null && judging === null ? 1 : SEMANTIC_ROWS)) continue;
      yield* settled(waiting);
      waiting = [];
    }
    yield* settled(waiting);
    const falseAlarms = await measuredFalseAlarms(matcher, semantic, options.knownClean);
    report = tally.report({
      ...matcher.relatedReading(),
      ...{ semantic: semantic?.reading() ?? null, judge: judging?.reading() ?? null, falseAlarms },
    });
  }
  return {
    [Symbol.asyncIterator]: judged,
    report() {
      if (report !== null) return report;
      throw new TrustError(
        "bad_option",
        "The rows are not through yet.",
        "Ask for the report behind the loop over them.",
      );
    },
  };
}
