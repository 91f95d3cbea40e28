import { checkSuccesses } from "../interval/check-successes.ts";
import { checkProbability } from "../kernel/check-probability.ts";
import { StatsError } from "../stats-error.ts";
import { type BetaPrior, checkPrior } from "./check-prior.ts";

export interface PosteriorPassK {
  /** Mean of 1 - (1 - p)^k. */
  passAtK: number;
  /** Mean of p^k. */
  passPowK: number;
}

/**
 * Would k rollouts of this task all pass, or any? Posterior means, defined also for k above n, where the unbiased
 * estimates (`passAtKGroup`, `passPowKGroup`) are not. The prior shows: 2 of 2 give pass^4 of 0.43, not 1.
 *
 * @param n Rollouts graded
 * @param c Rollouts that passed
 * @throws StatsError `bad_count`, `bad_k`, `bad_value`
 */
export function posteriorPassK(n: number, c: number, k: number, { a = 1, b = 1 }: BetaPrior = {}): PosteriorPassK {
  checkSuccesses("posteriorPassK", c, n);
  checkRollouts(k);
  checkPrior(a, b);
  let allPass = 1;
  let allFail = 1;
  for (let i = 0; i < k; i++) {
    allPass *= (a + c + i) / (a + b + n + i);
    allFail *= (b + n - c + i) / (a + b + n + i);
  }
  return { passAtK: 1 - allFail, passPowK: allPass };
}

/**
 * p^k, for contrast: what pass^k would be if every task passed at one rate. Over tasks it reads low, because tasks
 * differ, and within one it is biased; `passPowKGroup` is neither.
 *
 * @throws StatsError `bad_probability`, `bad_k`
 */
export function passPowKPlugIn(p: number, k: number): number {
  checkProbability(p);
  checkRollouts(k);
  return p ** k;
}

function checkRollouts(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new StatsError("bad_k", `k is ${k}.`, "Pass a whole number of rollouts, 1 or more.");
}
