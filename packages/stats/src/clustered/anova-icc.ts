import { mean, sum } from "../kernel/sum.ts";
import { checkTaskRates, rolloutVariance } from "./task-rates.ts";

export interface AnovaIcc {
  /** Correlation of two rollouts of one task: 1 all alike, 0 independent; below 0 by chance. */
  icc: number;
  /** 1 + (k - 1) · max(0, icc): how many times too small a variance over rows as independent draws is. */
  designEffect: number;
  /** Independent rows that would say as much. */
  effectiveRows: number;
}

/**
 * How alike rollouts of one task are, and so how few rows the rows amount to. One-way analysis of variance on 0/1 rows
 * (Fisher 1925; design effect Kish 1965).
 *
 * @param rates Pass rate of each task
 * @param k Rollouts behind each rate
 * @returns null under two tasks, and when every row has the same outcome
 * @throws StatsError `bad_value`, `bad_k`
 */
export function anovaIcc(rates: readonly number[], k: number): AnovaIcc | null {
  checkTaskRates("anovaIcc", rates, k);
  const n = rates.length;
  if (n < 2) return null;
  const centre = mean(rates)!;
  const between = (k * sum(rates.map((rate) => (rate - centre) ** 2))) / (n - 1);
  const within = mean(rates.map((rate) => rolloutVariance(rate, k)))!;
  if (between === 0 && within === 0) return null;
  const icc = (between - within) / (between + (k - 1) * within);
  const designEffect = 1 + (k - 1) * Math.max(0, icc);
  return { icc, designEffect, effectiveRows: (n * k) / designEffect };
}
