import { ALPHA } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { checkMargin } from "./check-margin.ts";
import { oneSidedT } from "./one-sided-t.ts";

export interface TostPaired {
  margin: number;
  delta: number;
  se: number;
  df: number;
  /** Of "it dropped by the margin or more". */
  pLower: number;
  /** Of "it rose by the margin or more". */
  pUpper: number;
  /** The larger: both have to be rejected. */
  pValue: number;
  /** Lies inside ± margin exactly when both are rejected at 5%. */
  ci90: Interval;
  /** Null with the note `no_spread`: equal differences do not show how far the next task may lie. */
  equivalent: boolean | null;
  note: "no_spread" | null;
}

/**
 * Is the change smaller than would matter? Two one-sided t tests (Schuirmann 1987). The way to prove "as good as
 * before": an interval that covers zero proves nothing, and the noisier the eval the more easily it does.
 *
 * @param diffs After minus before, one a task
 * @param margin Largest change that would not matter
 * @returns null under two differences
 * @throws StatsError `bad_value`
 */
export function tostPaired(diffs: readonly number[], margin: number): TostPaired | null {
  checkMargin("tostPaired", margin);
  const test = oneSidedT(diffs);
  if (test === null) return null;
  const { delta, se, df, pAbove, pBelow } = test;
  const half = tQuantile(df, 1 - 2 * ALPHA) * se;
  const pLower = pAbove(-margin);
  const pUpper = pBelow(margin);
  const pValue = Math.max(pLower, pUpper);
  const unknown = se === 0 && pValue === 0;
  return {
    margin,
    delta,
    se,
    df,
    pLower,
    pUpper,
    pValue,
    ci90: [delta - half, delta + half],
    equivalent: unknown ? null : pValue <= ALPHA,
    note: unknown ? "no_spread" : null,
  };
}
