/** Shift, in standard errors, that a run has to be off by to count at all: half of the one that is looked for. */
export const CUSUM_SLACK = 0.5;
/** Where the sum of what was over the slack says that something moved: by chance once in about 340 runs. */
export const CUSUM_LIMIT = 4;

export interface Cusum {
  /** After each value; never under 0. */
  sums: number[];
  /** Place of the first sum over the limit; null where none is. */
  signalAt: number | null;
}

/**
 * Cumulative sum of how far values lie over their target (Page 1954): small shifts that each could be chance add up, and
 * chance does not. One-sided; for shifts down pass the values' negatives.
 *
 * @param values In standard errors from the target
 */
export function cusum(values: readonly number[]): Cusum {
  const sums: number[] = [];
  for (const value of values) sums.push(Math.max(0, (sums.at(-1) ?? 0) + value - CUSUM_SLACK));
  const signalAt = sums.findIndex((sum) => sum > CUSUM_LIMIT);
  return { sums, signalAt: signalAt === -1 ? null : signalAt };
}
