import { Z_95 } from "../constants.ts";
import type { RateDifference } from "./rate-difference.ts";
import { checkArms, type SuccessCount } from "./success-count.ts";

/**
 * Interval on the difference of two rates over independent rows: Wald's after one imagined success and failure in each
 * arm. Rollouts of one task are not independent; compare task means for them. Agresti and Caffo 2000.
 *
 * @returns After minus before and its interval, cut to [-1, 1]; null when a side has no rows
 * @throws StatsError `bad_count`
 */
export function agrestiCaffo(before: SuccessCount, after: SuccessCount): RateDifference | null {
  checkArms("agrestiCaffo", before, after);
  if (before.n === 0 || after.n === 0) return null;
  const rate = ({ successes, n }: SuccessCount) => (successes + 1) / (n + 2);
  const variance = (arm: SuccessCount) => (rate(arm) * (1 - rate(arm))) / (arm.n + 2);
  const centre = rate(after) - rate(before);
  const half = Z_95 * Math.sqrt(variance(before) + variance(after));
  const delta = after.successes / after.n - before.successes / before.n;
  return { delta, ci95: [Math.max(-1, centre - half), Math.min(1, centre + half)] };
}
