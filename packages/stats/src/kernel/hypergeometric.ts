import { StatsError } from "../stats-error.ts";
import { binomialTerm } from "./binomial-term.ts";

/**
 * Chance of exactly k marked among `draws` taken without putting back from `marked` and `others`. Three binomial terms
 * at one rate, whose large parts cancel before they are computed (Loader 2000): relative error about 1e-13.
 *
 * @returns 0 for a k that cannot occur
 * @throws StatsError `bad_count`
 */
export function hypergeometricPmf(k: number, draws: number, marked: number, others: number): number {
  const counts = [k, draws, marked, others];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0) || draws > marked + others) {
    throw new StatsError(
      "bad_count",
      `${k} marked of ${draws} draws from ${marked} marked and ${others} others were asked for.`,
      "Pass whole numbers from 0 up, with no more draws than there are to draw from.",
    );
  }
  const [first, last] = hypergeometricRange(draws, marked, others);
  if (k < first || k > last) return 0;
  const total = marked + others;
  const left = total - draws;
  if (draws === 0 || left === 0) return 1;
  const p = draws / total;
  const q = left / total;
  return (
    (binomialTerm(k, marked - k, p, q) * binomialTerm(draws - k, others - draws + k, p, q)) /
    binomialTerm(draws, left, p, q)
  );
}

/** Fewest and most marked that can be drawn. */
export function hypergeometricRange(draws: number, marked: number, others: number): [first: number, last: number] {
  return [Math.max(0, draws - others), Math.min(draws, marked)];
}
