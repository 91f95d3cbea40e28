import { wilsonInterval } from "../interval/wilson-interval.ts";
import type { RateDifference } from "./rate-difference.ts";
import { checkArms, type SuccessCount } from "./success-count.ts";

/**
 * Interval on the difference of two rates over independent rows, put together from the Wilson interval of each; it
 * agrees with them in small arms and at 0 and 1. Rollouts of one task are not independent. Newcombe 1998, method 10.
 *
 * @returns After minus before and its interval; null when a side has no rows
 * @throws StatsError `bad_count`
 */
export function newcombeIndependent(before: SuccessCount, after: SuccessCount): RateDifference | null {
  checkArms("newcombeIndependent", before, after);
  const first = wilsonInterval(before.successes, before.n);
  const second = wilsonInterval(after.successes, after.n);
  if (first === null || second === null) return null;
  const p = before.successes / before.n;
  const q = after.successes / after.n;
  return {
    delta: q - p,
    ci95: [q - p - Math.hypot(q - second[0], first[1] - p), q - p + Math.hypot(second[1] - q, p - first[0])],
  };
}
