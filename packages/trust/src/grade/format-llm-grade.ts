import { counted } from "../counted.ts";
import type { LlmGradeReport } from "./llm-grade.ts";

/** How many rows have an opinion and which; then where it is opposed to the reward; then why the others have none. */
export function formatLlmGrade(report: LlmGradeReport): string {
  const { nRows, nGraded, judgeName, rewardDistribution, nCompared, nDisagreements, unjudgedBy } = report;
  const scores = rewardDistribution.map(({ value, n }) => `${value} on ${n}`).join(", ");
  return [
    `opinions on ${nGraded} of ${counted(nRows, "row")} by ${judgeName}${scores === "" ? "" : `: ${scores}`}`,
    nCompared === 0
      ? "  not compared: no row has a reward of 0 or 1 and an opinion of 0 or 1"
      : `  against the reward on ${nDisagreements} of ${nCompared}`,
    ...unjudgedBy.map(({ failure, n }) => `  none on ${n}: ${failure}`),
  ].join("\n");
}
