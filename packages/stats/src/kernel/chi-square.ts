import { StatsError } from "../stats-error.ts";
import { logGamma } from "./log-gamma.ts";

/** Enough for half a million degrees of freedom; both expansions take about the square root of them. */
const MAX_TERMS = 10_000;
const EPSILON = 2 ** -53;

/**
 * Chance that a chi-square variable exceeds x, with its digits in the far tail too: a regularised incomplete gamma
 * function, by its series below the mean and by Legendre's continued fraction above (Abramowitz and Stegun 6.5.29, 6.5.31).
 *
 * @throws StatsError `bad_value`, `no_convergence`
 */
export function chiSquareUpperTail(x: number, df: number): number {
  if (!(x >= 0 && df > 0 && Number.isFinite(x) && Number.isFinite(df))) {
    throw new StatsError("bad_value", `Chi-square got ${x} on ${df} degrees of freedom.`, "Pass positive numbers.");
  }
  if (x === 0) return 1;
  const a = df / 2;
  const half = x / 2;
  const front = Math.exp(a * Math.log(half) - half - logGamma(a));
  return half < a + 1 ? 1 - front * series(a, half) : front * fraction(a, half);
}

/** Sum of x^i / (a (a + 1) ... (a + i)). */
function series(a: number, x: number): number {
  let term = 1 / a;
  let total = term;
  for (let i = 1; i < MAX_TERMS; i++) {
    term *= x / (a + i);
    total += term;
    if (term < EPSILON * total) return total;
  }
  throw noConvergence(a, x);
}

/** 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)), by Lentz's method. */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i < MAX_TERMS; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < 4 * EPSILON) return value;
  }
  throw noConvergence(a, x);
}

function noConvergence(a: number, x: number): StatsError {
  return new StatsError("no_convergence", `Chi-square at ${2 * x} on ${2 * a} did not converge.`, "Use fewer groups.");
}
