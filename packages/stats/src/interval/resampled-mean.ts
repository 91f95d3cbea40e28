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
export function resampledMeanQuantiles({ weights, length, meanAt }: Lattice, n: number, tail: number): Interval {
  const mass = sumDistribution(weights, length, n);
  const centre = Math.round(n * weights.reduce((total, weight, i) => total + weight * i, 0));
  const first = Math.max(0, Math.min(centre - length / 2, n * (weights.length - 1) + 1 - length));
  const last = Math.min(first + length, n * (weights.length - 1) + 1) - 1;
  const at = (total: number) => mass[total % length]!;

  let low = first;
  for (let below = at(low); below < tail * (1 - TIE) && low < last; below += at(low)) low++;
  let high = last;
  for (let above = at(high); above <= tail * (1 + TIE) && high > first; above += at(high)) high--;
  return [meanAt(low), meanAt(high)];
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
