import { mean, sum } from "../kernel/sum.ts";
import { checkTaskRates, rolloutVariance } from "./task-rates.ts";

export interface RolloutVarianceSplit {
  /** Variance of the task rates that were seen. */
  varTotal: number;
  /** The part that k rollouts leave in a task's rate, and more rollouts would take away. */
  varWithinOfMean: number;
  /** The rest: tasks differ. Only more tasks help. Below 0 by chance where tasks hardly differ. */
  varBetween: number;
  /** Standard error of pass@1. */
  seMean: number;
  /** What it would be with rollouts without end. */
  seMeanAtInfiniteK: number;
}

/**
 * Would more tasks or more rollouts shrink the interval? Var(task rate) = Var(task) + E[rollout variance] / k; the
 * second part is estimated within tasks, the first is what is left (Miller 2024, section 3, arXiv:2411.00640).
 *
 * @param rates Pass rate of each task
 * @param k Rollouts behind each rate
 * @returns null under two tasks
 * @throws StatsError `bad_value`, `bad_k`
 */
export function rolloutVarianceSplit(rates: readonly number[], k: number): RolloutVarianceSplit | null {
  checkTaskRates("rolloutVarianceSplit", rates, k);
  const n = rates.length;
  if (n < 2) return null;
  const centre = mean(rates)!;
  const varTotal = sum(rates.map((rate) => (rate - centre) ** 2)) / (n - 1);
  const varWithinOfMean = mean(rates.map((rate) => rolloutVariance(rate, k) / k))!;
  const varBetween = varTotal - varWithinOfMean;
  return {
    varTotal,
    varWithinOfMean,
    varBetween,
    seMean: Math.sqrt(varTotal / n),
    seMeanAtInfiniteK: Math.sqrt(Math.max(0, varBetween) / n),
  };
}
