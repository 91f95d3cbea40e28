import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/**
 * One value a task, held as a histogram: a million tasks of 8 rollouts have nine different rates, and everything an
 * interval needs (mean, distribution of the resampled mean, a resample) follows from how often each occurs.
 */
export interface Sample {
  /** The value of each atom. Two atoms may have the same one. */
  values: ArrayLike<number>;
  /** Tasks on each atom. */
  counts: ArrayLike<number>;
  /** The atom of each task, in task order: what a seeded resample walks. Shared by columns over the same tasks. */
  order: Uint32Array;
}

/**
 * The histogram of a list of values.
 *
 * @throws StatsError `bad_value` for a value that is not finite
 */
export function sampleOf(values: ArrayLike<number>): Sample {
  const atoms = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) {
      throw new StatsError("bad_value", `Value ${i} is ${value}.`, "Leave out what was not measured.");
    }
    if (!atoms.has(value)) atoms.set(value, atoms.size);
  }
  const counts = new Float64Array(atoms.size);
  const order = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const atom = atoms.get(values[i]!)!;
    order[i] = atom;
    counts[atom]!++;
  }
  return { values: [...atoms.keys()], counts, order };
}

/** Tasks in the sample. */
export function sizeOf({ order }: Sample): number {
  return order.length;
}

/** Mean over tasks, the same in whatever order they came; null of none. */
export function meanOf(sample: Sample): number | null {
  const n = sizeOf(sample);
  if (n === 0) return null;
  const byValue = new Map<number, number>();
  for (let i = 0; i < sample.values.length; i++) {
    const value = sample.values[i]!;
    byValue.set(value, (byValue.get(value) ?? 0) + sample.counts[i]!);
  }
  const sorted = [...byValue].sort(([a], [b]) => a - b);
  return sum(sorted.map(([value, count]) => value * count)) / n;
}

/** Lowest and highest value some task has. */
export function rangeOf({ values, counts }: Sample): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (counts[i] === 0) continue;
    low = Math.min(low, values[i]!);
    high = Math.max(high, values[i]!);
  }
  return [low, high];
}
