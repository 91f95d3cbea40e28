import { hypergeometricPmf, hypergeometricRange } from "../kernel/hypergeometric.ts";
import { sum } from "../kernel/sum.ts";
import { checkArms, type SuccessCount } from "../proportions/success-count.ts";

/**
 * Chance that B's true pass rate is above A's, each uniform before any row. For independent rows.
 *
 * Both rates are order statistics of uniform points, so B is above A exactly when enough of the lowest of all points
 * are A's: a hypergeometric tail (Altham 1969), where nothing cancels and no quadrature is needed.
 *
 * @returns 0 to 1; one half without rows
 * @throws StatsError `bad_count`
 */
export function probBBetter(a: SuccessCount, b: SuccessCount): number {
  checkArms("probBBetter", a, b);
  const pointsA = a.n + 1;
  const pointsB = b.n + 1;
  const lowest = a.successes + b.successes + 1;
  const [, last] = hypergeometricRange(lowest, pointsA, pointsB);
  const chances: number[] = [];
  for (let k = a.successes + 1; k <= last; k++) chances.push(hypergeometricPmf(k, lowest, pointsA, pointsB));
  return Math.min(1, sum(chances));
}
