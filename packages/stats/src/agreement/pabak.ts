import { type Confusion, confusionShares } from "./confusion.ts";

/**
 * Kappa adjusted for prevalence and bias: 2 · agreement - 1, what kappa would be if both classes were equally frequent
 * with both raters. Byrt, Bishop and Carlin 1993.
 *
 * @returns -1 to 1; null for an empty table
 * @throws StatsError `bad_count`
 */
export function pabak(table: Confusion): number | null {
  const shares = confusionShares(table);
  return shares === null ? null : 2 * shares.agreement - 1;
}
