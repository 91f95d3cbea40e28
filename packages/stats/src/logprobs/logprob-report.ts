import { isObject, type Row, roundHalfEven } from "@while/schema";
import { HACK_THRESHOLD, THRESHOLD_SLACK } from "../constants.ts";
import { pearson } from "../correlation/pearson.ts";
import { countOf } from "../count-of.ts";
import { quantileNearestRank } from "../kernel/quantile-nearest-rank.ts";
import { sum } from "../kernel/sum.ts";
import { passLabel } from "../rows/pass-label.ts";
import type { Warning } from "../warning.ts";
import { hasTruncatedStep, rowLogprob } from "./row-logprob.ts";

export type LogprobWarningCode = "no_logprobs" | "reward_follows_confidence" | "truncated_rows";

/** Log-probabilities are natural, means to 4 decimals. */
export interface LogprobReport {
  nRows: number;
  /** Rows with a finite `logprob` over one token or more. The rest of the report is about these. */
  nWithLogprobs: number;
  nTokens: number;
  /** All log-probability over all tokens; null without any. */
  meanTokenLogprob: number | null;
  /** Quantiles of the rows' own means. */
  rowMeanP10: number | null;
  rowMeanP50: number | null;
  rowMeanP90: number | null;
  /** Correlation of a row's mean with its 0/1 reward; null under three rows with both, or when one is constant. */
  corrRewardConfidence: number | null;
  /** Rows with a step whose text was cut. */
  nTruncated: number;
  warnings: Warning<LogprobWarningCode>[];
}

/** How sure the policy was of what it said, and whether the reward goes to what it was sure of. */
export function logprobReport(rows: readonly Row[]): LogprobReport {
  const means: number[] = [];
  const logprobs: number[] = [];
  const graded: { mean: number; reward: number }[] = [];
  let [nRows, nTokens, nTruncated] = [0, 0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    nRows++;
    const captured = rowLogprob(row);
    if (captured === null) continue;
    const mean = captured.logprob / captured.nTokens;
    means.push(mean);
    logprobs.push(captured.logprob);
    nTokens += captured.nTokens;
    if (hasTruncatedStep(row)) nTruncated++;
    const reward = passLabel(row);
    if (reward !== null) graded.push({ mean, reward });
  }
  const rounded = (value: number | null) => (value === null ? null : roundHalfEven(value, 4));
  const corr = pearson(
    graded.map(({ mean }) => mean),
    graded.map(({ reward }) => reward),
  );
  const report = {
    nRows,
    nWithLogprobs: means.length,
    nTokens,
    meanTokenLogprob: nTokens === 0 ? null : rounded(sum(logprobs) / nTokens),
    rowMeanP10: rounded(quantileNearestRank(means, 0.1)),
    rowMeanP50: rounded(quantileNearestRank(means, 0.5)),
    rowMeanP90: rounded(quantileNearestRank(means, 0.9)),
    corrRewardConfidence: rounded(corr),
    nTruncated,
  };
  return { ...report, warnings: warningsOf(report) };
}

function warningsOf(report: Omit<LogprobReport, "warnings">): Warning<LogprobWarningCode>[] {
  const { nRows, nWithLogprobs, corrRewardConfidence, nTruncated } = report;
  const warnings: Warning<LogprobWarningCode>[] = [];
  if (nWithLogprobs === 0) {
    const text = `none of ${countOf(nRows, "row")} has a logprob over its n_tokens: turn log-probabilities on when sampling`;
    warnings.push({ code: "no_logprobs", text });
  }
  if (corrRewardConfidence !== null && corrRewardConfidence >= HACK_THRESHOLD - THRESHOLD_SLACK) {
    const text = `the reward follows the policy's own confidence (correlation ${corrRewardConfidence}): the judge may pay for fluency`;
    warnings.push({ code: "reward_follows_confidence", text });
  }
  if (nTruncated > 0) {
    const text = `${countOf(nTruncated, "row")} with a truncated step: their sums are over a part of the completion`;
    warnings.push({ code: "truncated_rows", text });
  }
  return warnings;
}
