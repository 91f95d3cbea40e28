import { MIN_CI_TASKS } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { bootstrapCi, intervalAt } from "../interval/bootstrap-ci.ts";
import { expandedPercentile } from "../interval/expanded-percentile-ci.ts";
import type { Interval } from "../interval/interval.ts";
import { meanScore } from "../interval/mean-score-interval.ts";
import { sampleOf } from "../interval/sample.ts";
import type { CiMethod } from "../interval/task-interval.ts";
import { normalCdf, normalQuantile } from "../kernel/normal.ts";
import { percentileIndices } from "../kernel/percentile-indices.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tCdf, tQuantile } from "../kernel/student-t.ts";
import { mean } from "../kernel/sum.ts";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { pairedTInterval } from "./paired-t-interval.ts";

/**
 * Beside the ways of a single mean: `adjusted`, the interval of Bonett and Price (2012) or of Agresti and Caffo (2000)
 * where the values do not vary, so that resampling knows no spread; `welch`, Student's t with two variances; `student`, the same with one,
 * over clusters of uneven sizes.
 */
export type DifferenceCiMethod = CiMethod | "adjusted" | "welch" | "student";

export interface DifferenceCi {
  ci95: Interval | null;
  /** null without an interval. */
  method: DifferenceCiMethod | null;
}

export interface DifferenceCiOptions {
  inference: Inference;
  /** Both runs' task means lie in [0, 1], so that a difference lies in [-1, 1]. */
  isShare: boolean;
  level: number;
  nBoot: number;
  seed: number;
}

const NONE: DifferenceCi = { ci95: null, method: null };

/** Interval of the mean difference over paired tasks; null under three, or when all are equal and have no bounds. */
export function pairedCi(
  diffs: readonly number[],
  { inference, isShare, level, nBoot, seed }: DifferenceCiOptions,
): DifferenceCi {
  if (diffs.length < MIN_CI_TASKS) return NONE;
  if (inference === "compat") return { ci95: bootstrapCi(diffs, { nBoot, seed, level }), method: "monte_carlo" };
  const varies = sampleSd(diffs)! > 0;
  // The scaled sums of clusters of many sizes may leave the range of a difference, and with it that of the score.
  if (varies && isShare && diffs.some((diff) => Math.abs(diff) > 1)) {
    const { ci95 } = pairedTInterval(diffs, { level })!;
    return { ci95: [Math.max(-1, ci95![0]), Math.min(1, ci95![1])], method: "student" };
  }
  if (varies && isShare) {
    // A difference in [-1, 1] as a share of the way from one end to the other.
    const { ci95 } = meanScore(sampleOf(diffs.map((diff) => (diff + 1) / 2)), level);
    return { ci95: [2 * ci95[0] - 1, 2 * ci95[1] - 1], method: "effective_n" };
  }
  if (varies) {
    const { ci95, method } = expandedPercentile(sampleOf(diffs), level);
    return { ci95, method };
  }
  if (!isShare) return NONE;
  // Bonett and Price: one more task that rose and one that fell, then the normal interval. On 6 of 6 risen tasks it
  // is [0.29, 1], on 50 that did not move ±0.053.
  const { centre, se } = padded(diffs, [-1, 1]);
  return { ci95: within([-1, 1], centre, normalQuantile((1 + level) / 2) * se), method: "adjusted" };
}

/** Difference of the means of two runs over their own tasks, where too few tasks are shared to pair. */
export function unpairedCi(
  a: readonly number[],
  b: readonly number[],
  { inference, isShare, level, nBoot, seed }: DifferenceCiOptions,
): DifferenceCi & { pValue: number | null } {
  if (a.length < MIN_CI_TASKS || b.length < MIN_CI_TASKS) return { ...NONE, pValue: null };
  if (inference === "compat") {
    return { ci95: resampled(a, b, { level, nBoot, seed }), method: "monte_carlo", pValue: null };
  }
  const [sdA, sdB] = [sampleSd(a)!, sampleSd(b)!];
  const bounds: Interval | null = isShare ? [-1, 1] : null;
  if (sdA > 0 && sdB > 0) {
    const [varA, varB] = [sdA ** 2 / a.length, sdB ** 2 / b.length];
    const se = Math.sqrt(varA + varB);
    // Welch 1947: the degrees of freedom of the side that varies more count for more.
    const df = (varA + varB) ** 2 / (varA ** 2 / (a.length - 1) + varB ** 2 / (b.length - 1));
    const delta = mean(b)! - mean(a)!;
    return {
      ci95: within(bounds, delta, tQuantile(df, level) * se),
      method: "welch",
      pValue: 2 * tCdf(-Math.abs(delta) / se, df),
    };
  }
  if (!isShare) return { ...NONE, pValue: null };
  // Agresti and Caffo: one more task that passes and one that fails on each side.
  const [paddedA, paddedB] = [padded(a, [0, 1]), padded(b, [0, 1])];
  const delta = paddedB.centre - paddedA.centre;
  const se = Math.hypot(paddedA.se, paddedB.se);
  return {
    ci95: within(bounds, delta, normalQuantile((1 + level) / 2) * se),
    method: "adjusted",
    pValue: 2 * normalCdf(-Math.abs(delta) / se),
  };
}

/** Mean and its standard error with pseudo-values among the values; the variance divides by n, as those papers do. */
function padded(values: readonly number[], pseudo: readonly number[]): { centre: number; se: number } {
  const all = [...values, ...pseudo];
  const centre = mean(all)!;
  const variance = mean(all.map((value) => (value - centre) ** 2))!;
  return { centre, se: Math.sqrt(variance / all.length) };
}

function within(bounds: Interval | null, centre: number, half: number): Interval {
  const [low, high] = [centre - half, centre + half];
  return bounds === null ? [low, high] : [Math.max(bounds[0], low), Math.min(bounds[1], high)];
}

/** Both runs resampled on their own, a first; the draws of the Python SDK. */
function resampled(
  a: readonly number[],
  b: readonly number[],
  { level, nBoot, seed }: Pick<DifferenceCiOptions, "level" | "nBoot" | "seed">,
): Interval {
  const rng = new MersenneTwister(seed);
  const drawMean = (values: readonly number[]): number => {
    let total = 0;
    for (let i = 0; i < values.length; i++) total += values[rng.below(values.length)]!;
    return total / values.length;
  };
  const deltas = Float64Array.from({ length: nBoot }, () => {
    const meanA = drawMean(a);
    return drawMean(b) - meanA;
  });
  return intervalAt(deltas.sort(), percentileIndices(level, nBoot));
}
