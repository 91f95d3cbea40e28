import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_probability` */
export function checkPValues(name: string, pValues: readonly number[]): void {
  for (const [i, p] of pValues.entries()) {
    if (p >= 0 && p <= 1) continue;
    throw new StatsError("bad_probability", `${name} got the p-value ${p} at ${i}.`, "Leave out what was not tested.");
  }
}

/** Positions from the smallest p-value to the largest. */
export function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, i) => i).sort((a, b) => pValues[a]! - pValues[b]!);
}
