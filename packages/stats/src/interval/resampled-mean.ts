import { fft, twiddlesOf } from "./fft.ts";
import type { Interval } from "./interval.ts";
import type { Lattice } from "./lattice.ts";

/** Relative slack when accumulated mass meets the tail, far above the error of the transform and below any meaning. */
const TIE = 1e-9;

/**
 * The two quantiles of the mean of n values drawn with replacement, with `tail` left out on either side: what a
 * bootstrap of infinitely many draws gives. Lower end: the smallest mean with at least `tail` at or below it;
 * upper end: the smallest with at most `tail` above it.
 *
 * The distribution of a sum of n lattice values is the n-fold convolution of their own: one transform, the n-th power
 * of each entry, one transform back. Measured on rates over 8 rollouts: under 4 ms up to 10,000 tasks, 32 ms for a million.
 */
export function resampledMeanQuantiles(lattice: Lattice, n: number, tail: number): Interval {
  const distribution = resampledSum(lattice, n);
  const { first, last, at } = distribution;
  let high = last;
  for (let above = at(high); above <= tail * (1 + TIE) && high > first; above += at(high)) high--;
  return [lattice.meanAt(sumQuantile(distribution, tail)), lattice.meanAt(high)];
}

/** The distribution of the sum of n values drawn with replacement, in steps of the lattice. */
export interface ResampledSum {
  /** Sums that matter: the support, or the window that holds all but 1e-15 of it. */
  first: number;
  last: number;
  /** The sum of the values themselves. */
  observed: number;
  at: (total: number) => number;
}

export function resampledSum({ weights, length }: Lattice, n: number): ResampledSum {
  const mass = sumDistribution(weights, length, n);
  const observed = Math.round(n * weights.reduce((total, weight, i) => total + weight * i, 0));
  const first = Math.max(0, Math.min(observed - length / 2, n * (weights.length - 1) + 1 - length));
  const last = Math.min(first + length, n * (weights.length - 1) + 1) - 1;
  return { first, last, observed, at: (total) => mass[total % length]! };
}

/** The smallest sum with at least this share at or below it. */
export function sumQuantile({ first, last, at }: ResampledSum, share: number): number {
  let total = first;
  for (let below = at(total); below < share * (1 - TIE) && total < last; below += at(total)) total++;
  return total;
}

/** Chance of each sum, at the sum modulo `length`. */
function sumDistribution(weights: Float64Array, length: number, n: number): Float64Array {
  const re = new Float64Array(length);
  const im = new Float64Array(length);
  const twiddles = twiddlesOf(length);
  re.set(weights);
  fft(re, im, twiddles);
  // Below this modulus the n-th power is under 1e-40; computing it would crawl through denormals.
  const nothing = Math.exp(-184 / n);
  for (let j = 0; j <= length / 2; j++) {
    const [a, b] = re[j]! ** 2 + im[j]! ** 2 < nothing ? [0, 0] : power(re[j]!, im[j]!, n);
    const mirror = (length - j) % length;
    // Conjugated, so that the second transform is the inverse one; a distribution is real.
    re[j] = a / length;
    im[j] = -b / length;
    re[mirror] = a / length;
    if (mirror !== j) im[mirror] = b / length;
  }
  fft(re, im, twiddles);
  return re;
}

function power(a: number, b: number, n: number): [number, number] {
  let [x, y] = [1, 0];
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) [x, y] = [x * a - y * b, x * b + y * a];
    [a, b] = [a * a - b * b, 2 * a * b];
  }
  return [x, y];
}
