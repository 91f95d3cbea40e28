import { type CellResult, shareOf } from "../calibration/study.ts";

/** A fifth of the shuffles that are usual, and of the terms: as exact, and a study of ten thousand scans ends. */
export const SCAN = { nPerm: 199, topK: 200 } as const;

/** A share that a promise of 6% may be seen at by the luck of so many trials: two standard errors above it. */
export function mostByLuck(results: readonly CellResult[], name: string): number {
  const trials = Math.min(...results.map(({ hits }) => hits[name]?.[1] ?? 1));
  return 0.06 + 2 * Math.sqrt((0.06 * 0.94) / trials);
}

/** Mean over all cells, in percent, with its standard error. */
export function sharesOver(results: readonly CellResult[], name: string): string {
  const shares = results.map((result) => shareOf(result, name) ?? 0);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const trials = results.reduce((sum, { hits }) => sum + (hits[name]?.[1] ?? 0), 0);
  const error = Math.sqrt((mean * (1 - mean)) / trials);
  return `${(100 * mean).toFixed(1)}% (standard error ${(100 * error).toFixed(1)})`;
}
