import { hypergeometricPmf, hypergeometricRange } from "../kernel/hypergeometric.ts";
import { sum } from "../kernel/sum.ts";
import { checkArms, type SuccessCount } from "./success-count.ts";

/** Tables this near in probability are equally likely: the same product taken in another order. */
const TIE = 1e-7;

/**
 * Exact test of two rates over independent rows, two-sided: of all tables with these totals, the chance of those no
 * more likely than the one seen. Fisher 1935.
 *
 * @returns 1 when nothing could have differed: a side without rows, or all rows alike
 * @throws StatsError `bad_count`
 */
export function fisherExact(before: SuccessCount, after: SuccessCount): number {
  checkArms("fisherExact", before, after);
  const draws = after.n;
  const marked = before.successes + after.successes;
  const others = before.n + after.n - marked;
  const observed = hypergeometricPmf(after.successes, draws, marked, others);
  const [first, last] = hypergeometricRange(draws, marked, others);
  const likely: number[] = [];
  for (let k = first; k <= last; k++) {
    const chance = hypergeometricPmf(k, draws, marked, others);
    if (chance <= observed * (1 + TIE)) likely.push(chance);
  }
  return Math.min(1, sum(likely));
}
