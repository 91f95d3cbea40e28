import { BOOTSTRAP_DRAWS } from "../constants.ts";
import { checkDraws } from "../kernel/percentile-indices.ts";
import { sum } from "../kernel/sum.ts";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { StatsError } from "../stats-error.ts";

export interface MaxTOptions {
  /** Arrangements drawn when there are too many to try all. */
  nBoot?: number;
  seed?: number;
}

export interface MaxTSignFlip {
  /** Adjusted p-value of each metric, in the order given. */
  pValues: number[];
  /** `exact`: all arrangements of signs were tried. */
  method: "exact" | "monte_carlo";
  /** Arrangements tried. */
  nArrangements: number;
}

/** All arrangements are tried up to here: 2^19, as the sign of one task may stay. 0.2 s for ten metrics. */
const MAX_ENUMERATED = 20;
/** Statistics this near are equal: the same numbers added in another order. */
const TIE = 1e-9;

/**
 * p-values of several metrics over the same tasks, adjusted so that the chance of any false alarm stays under the level,
 * without giving away what correlated metrics share (Holm does): all metrics of a task change sign together, and each
 * metric is held against the largest of all. Single-step max-T, Westfall and Young 1993.
 *
 * A metric's statistic is |mean| over root mean square, so one measured in larger units does not crowd out the others.
 *
 * @param diffs For each metric one difference a task, all over the same tasks in the same order
 * @throws StatsError `bad_value`, `bad_count`, `bad_seed`
 */
export function maxTSignFlip(
  diffs: readonly (readonly number[])[],
  { nBoot = BOOTSTRAP_DRAWS, seed = 0 }: MaxTOptions = {},
): MaxTSignFlip {
  checkDraws(nBoot);
  const nTasks = diffs[0]?.length ?? 0;
  const columns = diffs.map((list) => scaled(list, nTasks));
  const observed = columns.map((column) => Math.abs(sum(column)));
  const reached = new Array<number>(diffs.length).fill(0);
  const count = (sums: readonly number[]) => {
    let largest = 0;
    for (const total of sums) largest = Math.max(largest, Math.abs(total));
    for (const [metric, own] of observed.entries()) if (largest >= own - TIE) reached[metric]!++;
  };

  if (nTasks > MAX_ENUMERATED) {
    const rng = new MersenneTwister(seed);
    for (let draw = 0; draw < nBoot; draw++) {
      const sums = new Array<number>(columns.length).fill(0);
      for (let task = 0; task < nTasks; task++) {
        const sign = rng.random() < 0.5 ? 1 : -1;
        for (const [metric, column] of columns.entries()) sums[metric]! += sign * column[task]!;
      }
      count(sums);
    }
    // The arrangement that was seen is one of them, so no p-value is 0 (Phipson and Smyth 2010).
    const pValues = reached.map((n) => (n + 1) / (nBoot + 1));
    return { pValues, method: "monte_carlo", nArrangements: nBoot };
  }

  // Gray code: each arrangement turns one task. The last task keeps its sign, since turning all changes no |sum|.
  const nArrangements = 2 ** Math.max(0, nTasks - 1);
  const sums = columns.map((column) => sum(column));
  const signs = new Array<number>(nTasks).fill(1);
  count(sums);
  for (let step = 1; step < nArrangements; step++) {
    const task = 31 - Math.clz32(step & -step);
    signs[task] = -signs[task]!;
    for (const [metric, column] of columns.entries()) sums[metric]! += 2 * signs[task]! * column[task]!;
    count(sums);
  }
  return { pValues: reached.map((n) => n / nArrangements), method: "exact", nArrangements };
}

/** Differences over their root mean square, which no change of signs moves; zeros stay. */
function scaled(list: readonly number[], nTasks: number): Float64Array {
  if (list.length !== nTasks) {
    throw new StatsError(
      "bad_value",
      `maxTSignFlip got metrics over ${nTasks} and ${list.length} tasks.`,
      "Pass one difference a task for every metric, over the tasks that all of them share.",
    );
  }
  for (const value of list) {
    if (Number.isFinite(value)) continue;
    throw new StatsError("bad_value", `maxTSignFlip got the difference ${value}.`, "Leave out what was not measured.");
  }
  const size = Math.sqrt(sum(list.map((value) => value * value)) / nTasks);
  return Float64Array.from(list, (value) => (size === 0 ? 0 : value / size / nTasks));
}
