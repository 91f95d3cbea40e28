import { normalCdf } from "../kernel/normal.ts";
import { checkArms, type SuccessCount } from "./success-count.ts";

/**
 * Pooled z test of two rates over independent rows, two-sided. `fisherExact` for small counts, `mcnemarExact` when the
 * rows are pairs. Read as an upper tail: 1 - cdf, the Python SDK's form, is 0 below about 1e-16.
 *
 * @returns null when a side has no rows, and when all rows of both sides are alike
 * @throws StatsError `bad_count`
 */
export function twoProportionP(before: SuccessCount, after: SuccessCount): number | null {
  checkArms("twoProportionP", before, after);
  if (before.n === 0 || after.n === 0) return null;
  const successes = before.successes + after.successes;
  const n = before.n + after.n;
  if (successes === 0 || successes === n) return null;
  const pooled = successes / n;
  const se = Math.sqrt(pooled * (1 - pooled) * (1 / before.n + 1 / after.n));
  const z = (after.successes / after.n - before.successes / before.n) / se;
  return 2 * normalCdf(-Math.abs(z));
}
