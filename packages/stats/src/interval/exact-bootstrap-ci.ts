import { CI_LEVEL, MIN_CI_TASKS } from "../constants.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { StatsError } from "../stats-error.ts";
import type { RateIntervalOptions } from "./clopper-pearson.ts";
import type { Interval } from "./interval.ts";
import { latticeOf } from "./lattice.ts";
import { resampledMeanQuantiles } from "./resampled-mean.ts";
import { sampleOf } from "./sample.ts";

/**
 * The percentile bootstrap of the mean with infinitely many draws: no seed, no noise, the same answer on every
 * machine. Pass rates qualify (they are multiples of 1/k, up to about k = 120 for 1,000 tasks); lengths, costs and other
 * real measurements do not.
 *
 * @returns null under three values
 * @throws StatsError `off_lattice`, `bad_level`, `bad_value`
 */
export function exactBootstrapCi(
  values: readonly number[],
  { level = CI_LEVEL }: RateIntervalOptions = {},
): Interval | null {
  checkLevel(level);
  const sample = sampleOf(values);
  if (values.length < MIN_CI_TASKS) return null;
  const lattice = latticeOf(sample);
  if (lattice === null) {
    throw new StatsError(
      "off_lattice",
      `The ${values.length} values share no denominator small enough for an exact answer.`,
      "Use bootstrapCi, or expandedPercentileCi, which puts such values on a fine grid.",
    );
  }
  return resampledMeanQuantiles(lattice, values.length, (1 - level) / 2);
}
