/** Two-sided p-values of a discrete test. */
export interface ExactP {
  /** Never rejects more often than it says; on few tasks much more rarely. */
  pExact: number;
  /** With half of the observed point (Lancaster 1961): near its nominal rate, now and then slightly above it. */
  pMid: number;
}

/** Twice the smaller tail, from the chances of falling below, on and above what was seen. */
export function twoSided(below: number, at: number, above: number): ExactP {
  const smaller = Math.min(below, above);
  return { pExact: Math.min(1, 2 * (smaller + at)), pMid: Math.min(1, 2 * smaller + at) };
}
