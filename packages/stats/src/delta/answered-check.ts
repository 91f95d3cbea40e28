import type { SuccessCount } from "../proportions/success-count.ts";
import { twoProportionP } from "../proportions/two-proportion-p.ts";

/** Gap between two shares of rows with an answer from which they are not compared, where no re-run gives a floor. */
export const ANSWERED_GAP = 0.1;
/** The p-value such a gap has to be under. */
export const ANSWERED_ALPHA = 0.01;

export interface AnsweredCheckOptions {
  /** The headline's noise band; the bar instead of `gapPoints` where there is one. */
  band?: number | null;
  gapPoints?: number;
  alpha?: number;
  /** p-value of a better test than the one over rows, where there is one. */
  p?: number | null;
}

export interface AnsweredCheck {
  /** Pooled two-proportion test; null where a side has no rows or all are alike. */
  p: number | null;
  /** Between the two shares, without a sign; null where a side has no rows. */
  gap: number | null;
  /** What the gap is held against. */
  bar: number;
  significant: boolean;
  /** Significant, and the gap above the bar: the two runs did not answer alike. */
  fails: boolean;
}

/**
 * Did both sides answer at all? Where one spends its budget on reasoning and never speaks, a score compares two budgets.
 *
 * @param before Rows with an answer among those with a reply field
 * @throws StatsError `bad_count`
 */
export function answeredCheck(
  before: SuccessCount,
  after: SuccessCount,
  { band = null, gapPoints = ANSWERED_GAP, alpha = ANSWERED_ALPHA, p: given = null }: AnsweredCheckOptions = {},
): AnsweredCheck {
  const p = given ?? twoProportionP(before, after);
  const isMeasured = before.n > 0 && after.n > 0;
  const gap = isMeasured ? Math.abs(before.successes / before.n - after.successes / after.n) : null;
  const bar = band ?? gapPoints;
  const significant = p !== null && p < alpha;
  return { p, gap, bar, significant, fails: significant && gap !== null && gap > bar };
}
