import { ALPHA, binomialCdf, normalQuantile, POWER } from "@while/stats";

const STEP = 0.01;

/**
 * The share that a probe would most likely show on `n` rows, by the normal law, as the Python SDK prints it; 1 where none
 * does, null without rows.
 */
export function resolvedShare(n: number, flag: number): number | null {
  if (n === 0) return null;
  const [zAlpha, zPower] = [normalQuantile(1 - ALPHA / 2), normalQuantile(POWER)];
  for (let step = 1; ; step++) {
    const p = gridShare(flag, step);
    if (p >= 1) return 1;
    const spread = zAlpha * Math.sqrt(flag * (1 - flag)) + zPower * Math.sqrt(p * (1 - p));
    if ((spread / (p - flag)) ** 2 <= n) return p;
  }
}

/** The same for the exact test of the strict rule, at the level that is left to one of `nProbes`. */
export function resolvedShareExact(n: number, flag: number, nProbes: number): number | null {
  if (n === 0) return null;
  let needed = 0;
  while (needed <= n && exceeds(needed, n, flag) > ALPHA / nProbes) needed++;
  for (let step = 1; ; step++) {
    const p = gridShare(flag, step);
    if (p >= 1) return 1;
    if (exceeds(needed, n, p) >= POWER) return p;
  }
}

/** Chance of at least `hits` of `n` where the share is `p`. */
export function exceeds(hits: number, n: number, p: number): number {
  if (hits <= 0) return 1;
  return hits > n ? 0 : 1 - binomialCdf(hits - 1, n, p);
}

/** To two decimals: 0.1 + 0.02 is no 0.12. */
function gridShare(flag: number, step: number): number {
  return Math.round((flag + step * STEP) * 100) / 100;
}
