import { stirlingError } from "./log-gamma.ts";

/**
 * Γ(s+f+1) / (Γ(s+1) Γ(f+1)) p^s q^f for s successes and f failures, which need not be whole. q is given and not
 * computed as 1 - p, which loses it when p is near 1.
 */
export function binomialTerm(s: number, f: number, p: number, q: number): number {
  if (p === 0) return s === 0 ? 1 : 0;
  if (q === 0) return f === 0 ? 1 : 0;
  const n = s + f;
  if (s === 0) return Math.exp(f * (q < 0.5 ? Math.log(q) : Math.log1p(-p)));
  if (f === 0) return Math.exp(s * (p < 0.5 ? Math.log(p) : Math.log1p(-q)));
  const exponent = stirlingError(n) - stirlingError(s) - stirlingError(f) - deviance(s, n * p) - deviance(f, n * q);
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * s * f));
}

/** x log(x / expected) + expected - x, by a series where the parts would cancel. Loader 2000. */
function deviance(x: number, expected: number): number {
  const gap = x - expected;
  if (Math.abs(gap) >= 0.1 * (x + expected)) return x * Math.log(x / expected) - gap;
  const v = gap / (x + expected);
  let total = gap * v;
  let term = 2 * x * v;
  for (let j = 3; ; j += 2) {
    term *= v * v;
    const next = total + term / j;
    if (next === total) return total;
    total = next;
  }
}
