import { CI_LEVEL } from "../constants.ts";
import type { RateIntervalOptions } from "../interval/clopper-pearson.ts";
import type { Interval } from "../interval/interval.ts";
import { sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tCdf, tQuantile } from "../kernel/student-t.ts";
import { mean } from "../kernel/sum.ts";

export interface PairedT {
  /** Mean difference. */
  delta: number;
  /** Standard error of it. */
  se: number;
  df: number;
  /** null when all differences are the same: a band without width claims a certainty that n tasks cannot give. */
  ci95: Interval | null;
  /** Two-sided; null with the interval. */
  pValue: number | null;
}

/**
 * Mean of paired differences with Student's t interval (Student 1908). Beside the bootstrap: quicker to check by hand,
 * and its bounds may leave the range that a difference of rates can have.
 *
 * @param diffs One difference a task
 * @returns null under two differences
 * @throws StatsError `bad_value`, `bad_level`
 */
export function pairedTInterval(
  diffs: readonly number[],
  { level = CI_LEVEL }: RateIntervalOptions = {},
): PairedT | null {
  sampleOf(diffs);
  const sd = sampleSd(diffs);
  if (sd === null) return null;
  const n = diffs.length;
  const df = n - 1;
  const delta = mean(diffs)!;
  const se = sd / Math.sqrt(n);
  const half = tQuantile(df, level) * se;
  if (se === 0) return { delta, se, df, ci95: null, pValue: null };
  return { delta, se, df, ci95: [delta - half, delta + half], pValue: 2 * tCdf(-Math.abs(delta / se), df) };
}
