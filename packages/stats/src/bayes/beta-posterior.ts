import { CI_LEVEL } from "../constants.ts";
import { checkSuccesses } from "../interval/check-successes.ts";
import type { Interval } from "../interval/interval.ts";
import { betaQuantile } from "../kernel/beta.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { type BetaPrior, checkPrior } from "./check-prior.ts";

export interface BetaPosteriorOptions extends BetaPrior {
  level?: number;
}

export interface BetaPosterior {
  mean: number;
  sd: number;
  /** Equal tails. */
  interval: Interval;
}

/**
 * What rows say about a pass rate, as a distribution: Beta(a + passes, b + fails). Defined for no rows (the prior) and
 * sensible for few, where normal intervals are not (Bowyer, Aitchison and Ivanova 2025, arXiv:2503.01747). For
 * independent rows; rollouts of one task are not.
 *
 * @throws StatsError `bad_count`, `bad_value`, `bad_level`
 */
export function betaPosterior(
  successes: number,
  n: number,
  { a = 1, b = 1, level = CI_LEVEL }: BetaPosteriorOptions = {},
): BetaPosterior {
  checkSuccesses("betaPosterior", successes, n);
  checkPrior(a, b);
  checkLevel(level);
  const pass = a + successes;
  const fail = b + n - successes;
  const both = pass + fail;
  const tail = (1 - level) / 2;
  return {
    mean: pass / both,
    sd: Math.sqrt((pass * fail) / (both + 1)) / both,
    interval: [betaQuantile(tail, pass, fail), betaQuantile(1 - tail, pass, fail)],
  };
}
