import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_value` for a rate outside [0, 1], `bad_k` for fewer than two rollouts a task */
export function checkTaskRates(name: string, rates: readonly number[], k: number): void {
  for (const [i, rate] of rates.entries()) {
    if (rate >= 0 && rate <= 1) continue;
    throw new StatsError("bad_value", `${name} got the pass rate ${rate} at ${i}.`, "Pass shares from 0 to 1.");
  }
  if (Number.isSafeInteger(k) && k >= 2) return;
  throw new StatsError("bad_k", `${name} got k ${k}.`, "Pass the rollouts a task, 2 or more: one shows no spread.");
}

/** What rollouts of a task with this rate vary among themselves: p (1 - p) k / (k - 1), unbiased. */
export function rolloutVariance(rate: number, k: number): number {
  return (rate * (1 - rate) * k) / (k - 1);
}
