import { Z_95 } from "../constants.ts";
import { StatsError } from "../stats-error.ts";
import type { RateDifference } from "./rate-difference.ts";

/** Tasks by outcome before and after, one rollout each: `n10` passed before only, `n01` after only. */
export interface PairedOutcomes {
  n11: number;
  n10: number;
  n01: number;
  n00: number;
}

/**
 * Interval on the change of a pass rate over tasks with one rollout on each side: Wald's after one imagined task in
 * each kind of change, so it never has width zero. Bonett and Price 2012.
 *
 * @returns The observed change and its interval, cut to [-1, 1]; null without tasks
 * @throws StatsError `bad_count`
 */
export function bonettPrice({ n11, n10, n01, n00 }: PairedOutcomes): RateDifference | null {
  for (const [cell, count] of Object.entries({ n11, n10, n01, n00 })) {
    if (Number.isSafeInteger(count) && count >= 0) continue;
    throw new StatsError("bad_count", `bonettPrice got ${cell} ${count}.`, "Pass whole numbers from 0 up.");
  }
  const n = n11 + n10 + n01 + n00;
  if (n === 0) return null;
  const worse = (n10 + 1) / (n + 2);
  const better = (n01 + 1) / (n + 2);
  const centre = better - worse;
  const half = Z_95 * Math.sqrt((better + worse - centre ** 2) / (n + 2));
  return { delta: (n01 - n10) / n, ci95: [Math.max(-1, centre - half), Math.min(1, centre + half)] };
}
