import { rangeOf, type Sample, sizeOf } from "./sample.ts";

/** Largest denominator a single value is recognised with; fractions this coarse lie at least 1e-8 apart. */
const MAX_DENOMINATOR = 10_000;
/** How near a value has to be to its fraction, so that a mean of thirds still counts as one. */
const NEAR = 1e-12;
/** Largest common denominator: at 1e6 steps a value within 1e-12 of its fraction still rounds to its own step. */
const MAX_COMMON = 1_000_000;
/** Half the window in units of range · √n: outside it lies less than 1e-15 of the resampled sum (Hoeffding 1963). */
const WINDOW = 4.2;
/** Longest transform, 5 ms, unless the tasks are so many that even a coarse grid needs a longer one. */
const LENGTH = 2 ** 15;
/** Fewest steps of the grid that values off any lattice are spread on. */
const MIN_BINS = 64;

/** Values as whole steps from the lowest, so that a sum of n of them is a whole number of steps. */
export interface Lattice {
  /** Share of the tasks at 0, 1, 2, ... steps. */
  weights: Float64Array;
  /** Length of the transform that holds the distribution of a sum of n. */
  length: number;
  /** The mean of n values whose steps add up to `total`. */
  meanAt: (total: number) => number;
  method: "exact" | "binned";
}

/**
 * The lattice the values lie on. Rates over k rollouts are multiples of 1/k, so it exists for every pass rate;
 * null when a value is no fraction up to 1/10000, or their common denominator is too large for the number of tasks (for
 * 50 tasks about 650, for 1,000 about 120; pass^4 of 8 rollouts has 70).
 */
export function latticeOf(sample: Sample): Lattice | null {
  const denominator = commonDenominator(sample);
  if (denominator === null) return null;
  const n = sizeOf(sample);
  const [low, high] = rangeOf(sample).map((value) => Math.round(value * denominator)) as [number, number];
  let step = high - low;
  for (let i = 0; i < sample.values.length; i++) {
    if (sample.counts[i]! > 0) step = gcd(step, Math.round(sample.values[i]! * denominator) - low);
  }
  const width = step === 0 ? 0 : (high - low) / step;
  const length = transformLength(n, width);
  if (length > longest(n) || n * Math.abs(low) > Number.MAX_SAFE_INTEGER) return null;
  const weights = new Float64Array(width + 1);
  for (let i = 0; i < sample.values.length; i++) {
    const at = step === 0 ? 0 : (Math.round(sample.values[i]! * denominator) - low) / step;
    if (sample.counts[i]! > 0) weights[at]! += sample.counts[i]! / n;
  }
  // Whole numbers above and below, so that the division is the only rounding.
  const meanAt = (total: number) => (n * low + total * step) / (n * denominator);
  return { weights, length, meanAt, method: "exact" };
}

/**
 * A grid over the range for values on no lattice: 2,200 steps for 3 tasks, 550 for 50, 64 for many thousand. Each value is split between its two neighbours, which keeps the mean. No value moves by a step, so no quantile of the
 * mean does; with many tasks it moves far less, the spread growing by a share of step²/8σ² at most.
 */
export function gridOf(sample: Sample): Lattice {
  const n = sizeOf(sample);
  const [low, high] = rangeOf(sample);
  const width = Math.floor((longest(n) - 2) / (2 * WINDOW * Math.sqrt(n)));
  const step = (high - low) / width;
  const weights = new Float64Array(width + 1);
  for (let i = 0; i < sample.values.length; i++) {
    const share = sample.counts[i]! / n;
    if (share === 0) continue;
    const at = Math.min((sample.values[i]! - low) / step, width);
    const below = Math.min(Math.floor(at), width - 1);
    weights[below]! += share * (1 - (at - below));
    weights[below + 1]! += share * (at - below);
  }
  return {
    weights,
    length: transformLength(n, width),
    meanAt: (total) => Math.min(high, low + (total * step) / n),
    method: "binned",
  };
}

/** The power of two that holds the support of a sum of n, or the window around its mean where that is shorter. */
function transformLength(n: number, width: number): number {
  const support = Math.min(n * width + 1, Math.ceil(2 * WINDOW * width * Math.sqrt(n)) + 2);
  return 2 ** Math.ceil(Math.log2(support));
}

function longest(n: number): number {
  return Math.max(LENGTH, 2 ** Math.ceil(Math.log2(2 * WINDOW * MIN_BINS * Math.sqrt(n) + 2)));
}

/** Smallest denominator that all values share; null when one is no fraction up to 1/10000, or it is above a million. */
export function commonDenominator({ values, counts }: Sample): number | null {
  let common = 1;
  for (let i = 0; i < values.length; i++) {
    if (counts[i] === 0) continue;
    const own = denominatorOf(values[i]!);
    if (own === null) return null;
    common *= own / gcd(common, own);
    if (common > MAX_COMMON) return null;
  }
  return common;
}

/** Denominator of the simplest fraction next to x, by its continued fraction. */
function denominatorOf(x: number): number | null {
  const slack = NEAR * Math.max(1, Math.abs(x));
  let rest = Math.abs(x);
  let [before, denominator] = [1, 0];
  for (;;) {
    const whole = Math.floor(rest);
    [before, denominator] = [denominator, whole * denominator + before];
    if (denominator > MAX_DENOMINATOR) return null;
    if (Math.abs(Math.round(x * denominator) / denominator - x) <= slack) return denominator;
    rest = 1 / (rest - whole);
  }
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return Math.abs(a);
}
