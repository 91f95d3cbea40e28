import type { Column } from "./column.ts";

/** Pearson correlation of a column with the reward over all rows; null when either does not vary. */
export function pooledRho({ at, values }: Column, reward: Float64Array): number | null {
  const n = reward.length;
  let sumF = 0;
  let sumFF = 0;
  let sumFR = 0;
  for (let i = 0; i < at.length; i++) {
    const value = values === null ? 1 : values[i]!;
    sumF += value;
    sumFF += value * value;
    sumFR += value * reward[at[i]!]!;
  }
  let sumR = 0;
  let sumRR = 0;
  for (const value of reward) {
    sumR += value;
    sumRR += value * value;
  }
  const ssF = sumFF - (sumF * sumF) / n;
  const ssR = sumRR - (sumR * sumR) / n;
  if (ssF <= 1e-12 * Math.max(1, sumFF)) return null;
  if (ssR <= 1e-12 * Math.max(1, sumRR)) return 0;
  return Math.max(-1, Math.min(1, (sumFR - (sumF * sumR) / n) / Math.sqrt(ssF * ssR)));
}
