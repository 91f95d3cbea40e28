import { BOOTSTRAP_DRAWS, CI_LEVEL, MIN_CI_TASKS, Z_95 } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { percentileIndices } from "../kernel/percentile-indices.ts";
import { drawMeans, intervalAt } from "./bootstrap-ci.ts";
import { expandedPercentile } from "./expanded-percentile-ci.ts";
import type { Interval } from "./interval.ts";
import { meanOf, rangeOf, type Sample, sizeOf } from "./sample.ts";
import { scoreInterval } from "./wilson-interval.ts";

/**
 * How an interval was made: read off the exact distribution of the resampled mean; off the same with the values put
 * on a fine grid; by the score formula, because every task has the same value; or drawn.
 */
export type CiMethod = "exact" | "binned" | "score" | "monte_carlo";

export interface TaskInterval {
  ci95: Interval | null;
  /** null without an interval. */
  method: CiMethod | null;
}

export interface TaskIntervalOptions {
  inference: Inference;
  /** Draws of compat. */
  nBoot?: number | undefined;
  /** Seed of compat; strict draws nothing. */
  seed?: number | undefined;
}

/** Values this near are one value. */
const SAME = 1e-9;
const NONE: TaskInterval = { ci95: null, method: null };

/**
 * The 95% interval of each column's mean over tasks, by the rules of `inference`; null under three tasks.
 *
 * Strict never gives a rate an interval of no width. Where all tasks have one value, resampling knows nothing about
 * the spread, and the score interval stands in with the tasks as sample size: for a rate of 0 or 1 that is Wilson's,
 * and for a constant share between it is the widest a share can need. A constant outside [0, 1] is no rate and has no
 * such bound: null.
 */
export function taskIntervals(
  columns: readonly Sample[],
  { inference, nBoot = BOOTSTRAP_DRAWS, seed = 0 }: TaskIntervalOptions,
): TaskInterval[] {
  if (inference === "strict") return columns.map(strictInterval);
  const ends = percentileIndices(CI_LEVEL, nBoot);
  const intervals = columns.map(() => NONE);
  for (const indices of columnsByOrder(columns)) {
    const group = indices.map((i) => columns[i]!);
    if (sizeOf(group[0]!) < MIN_CI_TASKS) continue;
    for (const [at, means] of drawMeans(group, { nBoot, seed }).entries()) {
      intervals[indices[at]!] = { ci95: intervalAt(means, ends), method: "monte_carlo" };
    }
  }
  return intervals;
}

/** Columns over the same tasks see the same draws, so one walk through the generator serves them all. */
function columnsByOrder(columns: readonly Sample[]): Iterable<number[]> {
  const groups = new Map<Uint32Array, number[]>();
  for (const [i, { order }] of columns.entries()) {
    const group = groups.get(order);
    if (group === undefined) groups.set(order, [i]);
    else group.push(i);
  }
  return groups.values();
}

function strictInterval(sample: Sample): TaskInterval {
  const n = sizeOf(sample);
  if (n < MIN_CI_TASKS) return NONE;
  const [low, high] = rangeOf(sample);
  if (high - low > SAME) {
    const { ci95, method } = expandedPercentile(sample);
    return { ci95, method };
  }
  const rate = meanOf(sample)!;
  if (rate < 0 || rate > 1) return NONE;
  return { ci95: scoreInterval(rate, n, Z_95), method: "score" };
}
