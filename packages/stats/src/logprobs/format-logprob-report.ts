import { formatFixed } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { LogprobReport } from "./logprob-report.ts";

/** Mean log-probability a token and its spread over rows, then what has to be known about it. */
export function formatLogprobReport(report: LogprobReport): string {
  const { nRows, nWithLogprobs, nTokens, meanTokenLogprob, corrRewardConfidence, warnings } = report;
  const remarks = warnings.map(({ text }) => `  ${text}`);
  if (meanTokenLogprob === null) return ["log-probabilities: not measured", ...remarks].join("\n");
  const { rowMeanP10, rowMeanP50, rowMeanP90 } = report;
  return [
    `log-probability a token ${formatFixed(meanTokenLogprob, 4)} (${countOf(nTokens, "token")}, ${nWithLogprobs} of ${countOf(nRows, "row")})`,
    `  rows: 10% below ${formatFixed(rowMeanP10, 4)}, half below ${formatFixed(rowMeanP50, 4)}, 90% below ${formatFixed(rowMeanP90, 4)}`,
    `  correlation with the reward ${formatFixed(corrRewardConfidence, 2)}`,
    ...remarks,
  ].join("\n");
}
