import { CI_LEVEL, MIN_CI_TASKS } from "../constants.ts";
import { normalCdf, normalQuantile } from "../kernel/normal.ts";
import { mean, sum } from "../kernel/sum.ts";
import type { Interval } from "./interval.ts";
import { gridOf, latticeOf } from "./lattice.ts";
import { resampledSum, sumQuantile } from "./resampled-mean.ts";
import { rangeOf, sampleOf } from "./sample.ts";

export interface BcaCi {
  /** How far the resampled mean lies to one side of the mean, in standard deviations. */
  z0: number;
  /** How fast its spread grows with the mean, from leaving each value out once. */
  acceleration: number;
  ci95: Interval;
  /** `exact` on the lattice of the values; `binned` when they lie on none. */
  method: "exact" | "binned";
}

/**
 * Bootstrap interval of the mean corrected for bias and for skew: for costs, lengths and other skewed measurements.
 * Read off the exact distribution of the resampled mean, so nothing is drawn. Efron 1987.
 *
 * No help on few tasks: there the plain interval is too narrow for another reason. `meanScoreInterval` mends it for
 * shares, `expandedPercentileCi` for other values.
 *
 * @param values One a task
 * @returns null under three values, and when all are equal
 * @throws StatsError `bad_value`
 */
export function bcaCi(values: readonly number[]): BcaCi | null {
  const sample = sampleOf(values);
  const n = values.length;
  if (n < MIN_CI_TASKS) return null;
  const [low, high] = rangeOf(sample);
  if (low === high) return null;

  const lattice = latticeOf(sample) ?? gridOf(sample);
  const distribution = resampledSum(lattice, n);
  const { first, observed, at } = distribution;
  let below = at(observed) / 2;
  for (let total = first; total < observed; total++) below += at(total);
  const z0 = normalQuantile(below);

  const centre = mean(values)!;
  const residuals = values.map((value) => (value - centre) / (high - low));
  const squares = sum(residuals.map((residual) => residual ** 2));
  const acceleration = sum(residuals.map((residual) => residual ** 3)) / (6 * squares ** 1.5);

  // At most 1/6 by its form, so the denominator stays above 0.
  const share = (z: number) => normalCdf(z0 + (z0 + z) / (1 - acceleration * (z0 + z)));
  const z = normalQuantile((1 + CI_LEVEL) / 2);
  const end = (to: number) => lattice.meanAt(sumQuantile(distribution, share(to)));
  return { z0, acceleration, ci95: [end(-z), end(z)], method: lattice.method };
}
