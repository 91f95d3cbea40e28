import { StatsError } from "../stats-error.ts";
import { binomialTerm } from "./binomial-term.ts";
import { bisect } from "./bisect.ts";
import { checkProbability } from "./check-probability.ts";

const TINY = 1e-300;
/** The fraction takes about the square root of the larger shape; this serves shapes to 1e9. */
const MAX_TERMS = 200_000;

/**
 * Regularised incomplete beta I_x(a, b): the chance that a Beta(a, b) variable is at most x. Continued fraction by
 * Lentz's method (Thompson and Barnett 1986), on the side where it converges fast. Relative error about 1e-13.
 *
 * @param y 1 - x, for callers who know it better than the subtraction
 * @throws StatsError `bad_value` for shapes that are not positive, `bad_probability`, `no_convergence`
 */
export function betaInc(a: number, b: number, x: number, y: number = 1 - x): number {
  if (!(a > 0 && b > 0 && Number.isFinite(a + b))) {
    throw new StatsError("bad_value", `betaInc got the shapes ${a} and ${b}.`, "Pass positive numbers.");
  }
  checkProbability(x);
  // Only an exact end is one: next to it x may round to 1 while y still knows better.
  if (x === 0) return 0;
  if (y === 0) return 1;
  return x < (a + 1) / (a + b + 2) ? lowerTail(a, b, x, y) : 1 - lowerTail(b, a, y, x);
}

/** x^a y^b / (a B(a, b)) over the fraction. The front is a binomial term, which stays exact for large shapes. */
function lowerTail(a: number, b: number, x: number, y: number): number {
  const front = (binomialTerm(a, b, x, y) * b) / (a + b);
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 4e-16) return front * fraction;
  }
  throw new StatsError("no_convergence", `betaInc(${a}, ${b}, ${x}) did not converge.`, "Use smaller shapes.");
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/**
 * The x with I_x(a, b) = p, to the last bits of `betaInc`.
 *
 * @throws StatsError `bad_probability`, `bad_value`
 */
export function betaQuantile(p: number, a: number, b: number): number {
  checkProbability(p);
  return bisect((x) => betaInc(a, b, x), p, 0, 1);
}
