import { BOOTSTRAP_DRAWS, CI_LEVEL, MIN_CI_TASKS } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { percentileIndices } from "../kernel/percentile-indices.ts";
import { drawMeans, intervalAt } from "./bootstrap-ci.ts";
import { expandedPercentile } from "./expanded-percentile-ci.ts";
import type { Interval } from "./interval.ts";
import { meanScore } from "./mean-score-interval.ts";
import { rangeOf, type Sample, sizeOf } from "./sample.ts";

/**
 * How an interval was made: by the score formula at the effective number of tasks; by the same with the tasks
 * themselves as sample size, because all have one value; for values that are no shares, read off the exact distribution
 * of the resampled mean, or off the same with the values put on a fine grid; or drawn.
 */
export type CiMethod = "effective_n" | "score" | "exact" | "binned" | "monte_carlo";

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
 * Strict takes the score interval where all values lie in [0, 1], and it never has width zero: where all tasks have one
 * value it is the one of that many coins, for a rate of 0 or 1 Wilson's. Other values get the expanded percentile
 * interval; a constant among them has no bound at all: null.
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
  if (sizeOf(sample) < MIN_CI_TASKS) return NONE;
  const [low, high] = rangeOf(sample);
  const isConstant = high - low <= SAME;
  if (low >= 0 && high <= 1) {
    return { ci95: meanScore(sample).ci95, method: isConstant ? "score" : "effective_n" };
  }
  if (isConstant) return NONE;
  const { ci95, method } = expandedPercentile(sample);
  return { ci95, method };
}
