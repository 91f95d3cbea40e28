import { binomialCdf, binomialPmf } from "../kernel/binomial.ts";
import { StatsError } from "../stats-error.ts";
import { type ExactP, twoSided } from "./exact-p.ts";

/**
 * Exact McNemar test for one rollout a task on each side: of the tasks that changed, did more change one way than a
 * coin would have it? Tasks that did not change say nothing. Prefer `pMid` (Fagerland, Lydersen and Laake 2013); for
 * several rollouts a task use `stratifiedExactTest`.
 *
 * @param n10 Tasks passed before and failed after
 * @param n01 Tasks failed before and passed after
 * @returns Both p-values; 1 when no task changed
 * @throws StatsError `bad_count`
 */
export function mcnemarExact(n10: number, n01: number): ExactP {
  for (const count of [n10, n01]) {
    if (Number.isSafeInteger(count) && count >= 0) continue;
    throw new StatsError(
      "bad_count",
      `mcnemarExact got ${n10} tasks worse and ${n01} tasks better.`,
      "Pass whole numbers from 0 up.",
    );
  }
  const changed = n10 + n01;
  const fewer = Math.min(n10, n01);
  const at = binomialPmf(fewer, changed, 0.5);
  // A coin is symmetric, so the tail beyond the larger count is the one below the smaller.
  const below = fewer === 0 ? 0 : binomialCdf(fewer - 1, changed, 0.5);
  return twoSided(below, at, 1 - below - at);
}
