import { Z_95 } from "../constants.ts";
import { StatsError } from "../stats-error.ts";
import { checkSuccesses } from "./check-successes.ts";
import type { Interval } from "./interval.ts";

export interface WilsonOptions {
  /** Normal quantile of the level: 1.96 is 95%. */
  z?: number;
}

/**
 * Score interval on a pass rate: stays inside [0, 1] and holds at 0 of 40, where rate ± 1.96 · se collapses to a
 * point. No continuity correction. Wilson 1927.
 *
 * @param successes Rows that passed, from 0 to n
 * @param n Rows graded
 * @returns Bounds as shares in [0, 1]; null without rows (no rows is not a rate of 0)
 * @throws StatsError `bad_count`, `bad_value` for a z that is not positive
 */
export function wilsonInterval(successes: number, n: number, { z = Z_95 }: WilsonOptions = {}): Interval | null {
  if (n <= 0) return null;
  checkSuccesses("wilsonInterval", successes, n);
  return scoreInterval(successes / n, n, z);
}

/**
 * The same for a mean that is not a count over n: the mean of n shares. No variable on [0, 1] with this mean varies
 * more than the coin does (Bhatia and Davis 2000), so the interval is never narrower than the shares deserve.
 */
export function scoreInterval(rate: number, n: number, z: number): Interval {
  if (!(z > 0 && Number.isFinite(z))) {
    throw new StatsError("bad_value", `z is ${z}.`, "Pass the positive normal quantile of the level, 1.96 for 95%.");
  }
  const shrink = 1 + z ** 2 / n;
  const centre = (rate + z ** 2 / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  // At the ends the exact bound is the rate itself; the subtraction leaves 1e-18 of it.
  return [rate === 0 ? 0 : Math.max(0, centre - half), rate === 1 ? 1 : Math.min(1, centre + half)];
}
