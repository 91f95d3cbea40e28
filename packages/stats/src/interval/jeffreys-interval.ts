import { CI_LEVEL } from "../constants.ts";
import { betaQuantile } from "../kernel/beta.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { checkSuccesses } from "./check-successes.ts";
import type { RateIntervalOptions } from "./clopper-pearson.ts";
import type { Interval } from "./interval.ts";

/**
 * Equal-tailed interval of the posterior under Jeffreys' prior, Beta(s + 1/2, f + 1/2), with the end pinned where
 * no failure or no success was seen: good coverage on a handful of rows. Brown, Cai and DasGupta 2001.
 *
 * @returns Bounds as shares; null without rows
 * @throws StatsError `bad_count`, `bad_level`
 */
export function jeffreysInterval(
  successes: number,
  n: number,
  { level = CI_LEVEL }: RateIntervalOptions = {},
): Interval | null {
  checkLevel(level);
  if (n <= 0) return null;
  checkSuccesses("jeffreysInterval", successes, n);
  const tail = (1 - level) / 2;
  const failures = n - successes;
  return [
    successes === 0 ? 0 : betaQuantile(tail, successes + 0.5, failures + 0.5),
    failures === 0 ? 1 : betaQuantile(1 - tail, successes + 0.5, failures + 0.5),
  ];
}
