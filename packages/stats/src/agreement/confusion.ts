import { StatsError } from "../stats-error.ts";

/**
 * How often a judge and gold say pass and fail: `fp` is judge pass, gold fail; `fn` judge fail, gold pass. For two
 * judges, either may stand as gold: every coefficient of this chapter is the same with `fp` and `fn` swapped.
 */
export interface Confusion {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

/** The shares chance-corrected coefficients are made of; null for an empty table. */
export interface ConfusionShares {
  n: number;
  /** Both say the same. */
  agreement: number;
  judgePass: number;
  goldPass: number;
  /** What two independent raters with these pass shares would agree on. */
  expected: number;
}

/** @throws StatsError `bad_count` unless all four are whole numbers from 0 up */
export function confusionShares({ tp, fp, fn, tn }: Confusion): ConfusionShares | null {
  for (const [cell, count] of Object.entries({ tp, fp, fn, tn })) {
    if (Number.isSafeInteger(count) && count >= 0) continue;
    throw new StatsError("bad_count", `The confusion table has ${cell} ${count}.`, "Pass whole numbers from 0 up.");
  }
  const n = tp + fp + fn + tn;
  if (n === 0) return null;
  const judgePass = (tp + fp) / n;
  const goldPass = (tp + fn) / n;
  // From whole numbers, so that it is 1 exactly when both raters know one class.
  const expected = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n ** 2;
  return { n, agreement: (tp + tn) / n, judgePass, goldPass, expected };
}
