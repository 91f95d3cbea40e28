import { roundHalfEven } from "@while/schema";
import { checkProbability } from "./check-probability.ts";

/**
 * The value at rank q (n - 1), halves to the even rank; null of nothing. Never a value that is not in the list.
 *
 * @throws StatsError `bad_probability`
 */
export function quantileNearestRank(values: readonly number[], q: number): number | null {
  checkProbability(q);
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return sorted[roundHalfEven(q * (sorted.length - 1), 0)]!;
}
