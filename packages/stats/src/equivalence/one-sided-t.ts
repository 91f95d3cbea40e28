import { sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tCdf } from "../kernel/student-t.ts";
import { mean } from "../kernel/sum.ts";

export interface OneSidedT {
  delta: number;
  se: number;
  df: number;
  /** p-value of "the true mean is not above this". */
  pAbove: (bound: number) => number;
  /** p-value of "the true mean is not below this". */
  pBelow: (bound: number) => number;
}

/** Null under two differences. @throws StatsError `bad_value` */
export function oneSidedT(diffs: readonly number[]): OneSidedT | null {
  sampleOf(diffs);
  const sd = sampleSd(diffs);
  if (sd === null) return null;
  const delta = mean(diffs)!;
  const se = sd / Math.sqrt(diffs.length);
  const df = diffs.length - 1;
  // Equal differences are the limit of little spread: certain on either side of the mean.
  const tail = (above: number) => (se > 0 ? tCdf(-above / se, df) : above > 0 ? 0 : 1);
  return { delta, se, df, pAbove: (bound) => tail(delta - bound), pBelow: (bound) => tail(bound - delta) };
}
