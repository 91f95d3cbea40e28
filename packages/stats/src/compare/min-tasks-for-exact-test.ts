import { checkLevel } from "../kernel/check-level.ts";

/**
 * Fewest paired tasks on which a sign-flip test can reach `alpha` at all: with n tasks that all move one way the exact
 * p-value is 2/2^n. At least 2, since one task has no other to agree with.
 *
 * @throws StatsError `bad_level` for an alpha outside (0, 1)
 */
export function minTasksForExactTest(alpha: number): number {
  checkLevel(alpha);
  let n = 2;
  while (2 * 0.5 ** n > alpha) n++;
  return n;
}
