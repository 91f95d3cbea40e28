import { betaInc } from "./beta.ts";
import { logGamma } from "./log-gamma.ts";
import { normalCdf } from "./normal.ts";

/**
 * Chance that a noncentral t variable is at most t ≥ 0: what Student's test meets when there is an effect, `shift` of
 * its standard errors. Series of Lenth 1989 (algorithm AS 243), summed from its largest term outwards, so that a shift
 * of 30 loses nothing.
 */
export function noncentralTCdf(t: number, df: number, shift: number): number {
  const half = (shift * shift) / 2;
  const x = (t * t) / (df + t * t);
  const beyond = df / (df + t * t);
  const term = (j: number): number => {
    const even = Math.exp(j * logOf(half) - half - logGamma(j + 1));
    const odd = Math.exp(j * logOf(half) - half - logGamma(j + 1.5)) * (shift / Math.SQRT2);
    return even * betaInc(j + 0.5, df / 2, x, beyond) + odd * betaInc(j + 1, df / 2, x, beyond);
  };
  const largest = Math.floor(half);
  let total = 0;
  for (let j = largest; j >= 0; j--) {
    const next = term(j);
    total += next;
    if (Math.abs(next) < 1e-17) break;
  }
  for (let j = largest + 1; ; j++) {
    const next = term(j);
    total += next;
    if (Math.abs(next) < 1e-17) break;
  }
  return Math.min(1, Math.max(0, normalCdf(-shift) + total / 2));
}

/** log x, with 0 · log 0 = 0. */
function logOf(x: number): number {
  return x === 0 ? -1e300 : Math.log(x);
}
