import { checkProbability } from "./check-probability.ts";

const SQRT_2_PI = 2.5066282746310007;

/**
 * Chance that a standard normal is at most x, with 13 digits in the lower tail too: `normalCdf(-8.5)` is 9.48e-18,
 * where 1 minus the upper side would be 0. Series of Marsaglia 2004 near the middle, continued fraction of Laplace
 * (Abramowitz and Stegun 26.2.14) from 2.5 out.
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > 2.5) return 1 - lowerTail(x);
  if (x < -2.5) return lowerTail(-x);
  let total = x;
  let term = x;
  for (let i = 3; Math.abs(term) > 1e-18; i += 2) {
    term *= (x * x) / i;
    total += term;
  }
  return 0.5 + total * density(x);
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / SQRT_2_PI;
}

/** Evaluated from the far end; 150 terms give the last bit at 2.5, where it is slowest. */
function lowerTail(z: number): number {
  if (z > 40) return 0;
  let fraction = z;
  for (let i = 150; i > 0; i--) fraction = z + i / fraction;
  return density(z) / fraction;
}

/**
 * The x with `normalCdf(x) = p`; infinite at 0 and 1. Sixteen digits: algorithm AS 241 of Wichura 1988.
 *
 * @throws StatsError `bad_probability`
 */
export function normalQuantile(p: number): number {
  checkProbability(p);
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(A, r)) / polynomial(B, r);
  }
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-Math.log(tail));
  const x = r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5);
  return q < 0 ? -x : x;
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
}

// Numerators and denominators of the three ranges, lowest power first, as the paper names them.
const A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const B = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
];
const C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const D = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
];
const F = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
