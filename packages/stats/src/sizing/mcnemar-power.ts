import { ALPHA } from "../constants.ts";
import { binomialCdf, binomialPmf } from "../kernel/binomial.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { StatsError } from "../stats-error.ts";

/**
 * Chance that McNemar's exact test (1947) finds a change on n tasks of one rollout each: over the number of tasks that
 * changed, and how they split. At equal chances it is the size of the test, below alpha.
 *
 * @param n Tasks
 * @param p10 Chance that a task passes before and fails after
 * @param p01 Chance that it fails before and passes after
 * @throws StatsError `bad_count`, `bad_probability`, `bad_level`
 */
export function mcnemarPower(n: number, p10: number, p01: number, { alpha = ALPHA }: { alpha?: number } = {}): number {
  checkLevel(alpha);
  const changed = p10 + p01;
  if (!(p10 >= 0 && p01 >= 0 && changed <= 1)) {
    throw new StatsError(
      "bad_probability",
      `p10 is ${p10} and p01 is ${p01}.`,
      "Pass two shares that sum to 1 at most.",
    );
  }
  if (!Number.isSafeInteger(n) || n < 0) {
    throw new StatsError("bad_count", `The number of tasks is ${n}.`, "Pass a whole number, 0 or more.");
  }
  if (changed === 0) return 0;
  const rises = p01 / changed;
  let power = 0;
  // Of m changed tasks, the largest minority that is still significant; -1 when none is. It never shrinks with m.
  let critical = -1;
  for (let m = 1; m <= n; m++) {
    while (2 * (critical + 1) < m && 2 * binomialCdf(critical + 1, m, 0.5) <= alpha) critical++;
    if (critical < 0) continue;
    const rejects = binomialCdf(critical, m, rises) + 1 - binomialCdf(m - critical - 1, m, rises);
    power += binomialPmf(m, n, changed) * rejects;
  }
  return Math.min(1, power);
}
