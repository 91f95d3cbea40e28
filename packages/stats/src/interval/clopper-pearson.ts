import { CI_LEVEL } from "../constants.ts";
import { betaQuantile } from "../kernel/beta.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { checkSuccesses } from "./check-successes.ts";
import type { Interval } from "./interval.ts";

export interface RateIntervalOptions {
  level?: number;
}

/**
 * Exact binomial interval on a rate: covers at least `level`, usually more. For a gate that must never promise too
 * much; `wilsonInterval` is nearer the nominal level. Clopper and Pearson 1934.
 *
 * @returns Bounds as shares; null without rows
 * @throws StatsError `bad_count`, `bad_level`
 */
export function clopperPearson(
  successes: number,
  n: number,
  { level = CI_LEVEL }: RateIntervalOptions = {},
): Interval | null {
  checkLevel(level);
  if (n <= 0) return null;
  checkSuccesses("clopperPearson", successes, n);
  const tail = (1 - level) / 2;
  const failures = n - successes;
  return [
    successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
  ];
}
