import { CI_LEVEL, MIN_CI_TASKS } from "../constants.ts";
import { normalCdf } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import type { Interval } from "./interval.ts";
import { gridOf, latticeOf } from "./lattice.ts";
import { resampledMeanQuantiles } from "./resampled-mean.ts";
import { type Sample, sampleOf, sizeOf } from "./sample.ts";

export interface ExpandedPercentileCi {
  /** Chance left out on either side, instead of 0.025. */
  tail: number;
  ci95: Interval;
  /** `exact` on the lattice of the values; `binned` when they lie on none and a fine grid stands in (`gridOf`). */
  method: "exact" | "binned";
}

/**
 * Percentile interval of the mean, widened to what a small sample deserves: the plain one is too narrow by
 * √((n-1)/n) · z/t. Read off the exact distribution of the resampled mean, so nothing is drawn. Hesterberg 2015
 * (arXiv:1411.5279).
 *
 * Coverage of a gain of 0.1 on 10 tasks of 4 rollouts: 0.949, where the plain interval has 0.912.
 *
 * @param values One a task
 * @returns null under three values
 * @throws StatsError `bad_value`
 */
export function expandedPercentileCi(values: readonly number[]): ExpandedPercentileCi | null {
  const sample = sampleOf(values);
  return values.length < MIN_CI_TASKS ? null : expandedPercentile(sample);
}

export function expandedPercentile(sample: Sample, level: number = CI_LEVEL): ExpandedPercentileCi {
  const n = sizeOf(sample);
  const tail = normalCdf(-Math.sqrt(n / (n - 1)) * tQuantile(n - 1, level));
  const lattice = latticeOf(sample) ?? gridOf(sample);
  return { tail, ci95: resampledMeanQuantiles(lattice, n, tail), method: lattice.method };
}
