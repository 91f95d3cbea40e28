import type { Row, RowSource } from "@while/schema";
import { evalCoverageOf } from "./eval-coverage.ts";
import type { Judge } from "./judge.ts";
import { checkRunOptions, type RunJudgeOptions, scoreRows } from "./run-judge.ts";
import type { ScoredRows } from "./scored-rows.ts";

export interface EvaluateOptions extends Omit<RunJudgeOptions, "source"> {
  /** Prompts, or rows with prompts, that were to be scored; `evalCoverage` says how many were. */
  evalSet?: readonly (string | Row)[];
}

/**
 * `runJudge` for rows that were held out: every row's `lineage.source` is `eval`. The selectors count such rows and
 * warn of them, because a held-out score that is trained on makes the scorer that is reported the one that is optimized.
 *
 * @throws TrustError as `runJudge`
 */
export async function evaluate(
  rows: readonly Row[] | RowSource,
  judge: Judge,
  options: EvaluateOptions = {},
): Promise<ScoredRows> {
  const { evalSet, ...rest } = options;
  checkRunOptions(judge, rest);
  const coverage = evalSet === undefined ? null : (scored: readonly Row[]) => evalCoverageOf(scored, evalSet);
  return await scoreRows(rows, judge, { ...rest, source: "eval" }, coverage);
}
