import { ALPHA } from "../constants.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { checkMargin } from "./check-margin.ts";
import { oneSidedT } from "./one-sided-t.ts";

export interface NonInferiority {
  margin: number;
  delta: number;
  se: number;
  df: number;
  /** One-sided 95% bound on the change. */
  lower95: number;
  /** Of "it dropped by the margin or more". */
  pValue: number;
  /** The bound lies above -margin. Null with the note `no_spread`, where equal differences bound nothing. */
  nonInferior: boolean | null;
  note: "no_spread" | null;
}

/**
 * Is a drop of `margin` ruled out? What a guard should ask for: "no significant drop" is passed by any guard too small
 * to see one. One-sided t test on paired differences.
 *
 * @param diffs After minus before, one a task
 * @param margin Largest drop that would not matter
 * @returns null under two differences
 * @throws StatsError `bad_value`
 */
export function nonInferiority(diffs: readonly number[], margin: number): NonInferiority | null {
  checkMargin("nonInferiority", margin);
  const test = oneSidedT(diffs);
  if (test === null) return null;
  const { delta, se, df, pAbove } = test;
  const lower95 = delta - tQuantile(df, 1 - 2 * ALPHA) * se;
  const unknown = se === 0 && delta > -margin;
  return {
    margin,
    delta,
    se,
    df,
    lower95,
    pValue: pAbove(-margin),
    nonInferior: unknown ? null : lower95 > -margin,
    note: unknown ? "no_spread" : null,
  };
}
