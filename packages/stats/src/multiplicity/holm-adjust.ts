import { ascending, checkPValues } from "./check-p-values.ts";

/**
 * p-values adjusted so that the chance of any false alarm among them stays under the level they are read at: for guards,
 * where one false alarm fails a run. Holds however the metrics depend on each other, and rejects whatever Bonferroni
 * does. Holm 1979.
 *
 * @returns In the order given
 * @throws StatsError `bad_probability`
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  checkPValues("holmAdjust", pValues);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  for (const [rank, i] of ascending(pValues).entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[i]!));
    adjusted[i] = largest;
  }
  return adjusted;
}
