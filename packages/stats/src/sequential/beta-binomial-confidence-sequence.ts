import { type BetaPrior, checkPrior } from "../bayes/check-prior.ts";
import { ALPHA } from "../constants.ts";
import { checkSuccesses } from "../interval/check-successes.ts";
import type { Interval } from "../interval/interval.ts";
import { bisect } from "../kernel/bisect.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { logBeta } from "../kernel/log-gamma.ts";

export interface ConfidenceSequenceOptions extends BetaPrior {
  /** Chance that the true rate ever leaves the sequence. */
  alpha?: number;
}

/**
 * Interval on a pass rate that may be looked at after every row: the chance that the true rate is ever outside one of
 * them is alpha, so stopping when it suits is allowed. An interval for a fixed number of rows looked at as often is
 * wrong far more often. Rates where a Beta(a, b) mixture does not beat the rate itself by 1/alpha: Robbins 1970; Howard
 * et al. 2021 (arXiv:1810.08240). Rows have to be independent and come in random order.
 *
 * @returns Wider than `wilsonInterval`; [0, 1] without rows
 * @throws StatsError `bad_count`, `bad_value`, `bad_level` for an alpha outside (0, 1)
 */
export function betaBinomialConfidenceSequence(
  successes: number,
  n: number,
  { alpha = ALPHA, a = 1, b = 1 }: ConfidenceSequenceOptions = {},
): Interval {
  checkSuccesses("betaBinomialConfidenceSequence", successes, n);
  checkPrior(a, b);
  checkLevel(alpha);
  if (n === 0) return [0, 1];
  const fails = n - successes;
  const least = logBeta(a + successes, b + fails) - logBeta(a, b) + Math.log(alpha);
  // Rises to its top at the rate seen and falls beyond it.
  const likelihood = (p: number) =>
    (successes === 0 ? 0 : successes * Math.log(p)) + (fails === 0 ? 0 : fails * Math.log1p(-p));
  const rate = successes / n;
  return [
    successes === 0 ? 0 : bisect(likelihood, least, 0, rate),
    fails === 0 ? 1 : bisect((p) => -likelihood(p), -least, rate, 1),
  ];
}
