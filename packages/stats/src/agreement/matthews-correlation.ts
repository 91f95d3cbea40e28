import { type Confusion, confusionShares } from "./confusion.ts";

/**
 * Correlation of the verdicts with gold, as two lists of 0 and 1. As kappa it is 0 for guessing; it is larger where the
 * judge passes too many or too few, which kappa counts as disagreement. Matthews 1975.
 *
 * @returns -1 to 1; null where one of the two gave one class throughout, since a constant correlates with nothing
 * @throws StatsError `bad_count`
 */
export function matthewsCorrelation(table: Confusion): number | null {
  if (confusionShares(table) === null) return null;
  const { tp, fp, fn, tn } = table;
  // Four square roots: the product of the margins of ten thousand rows is past what a double counts exactly.
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return spread === 0 ? null : (tp * tn - fp * fn) / spread;
}
