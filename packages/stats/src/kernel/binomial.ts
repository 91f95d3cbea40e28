import { StatsError } from "../stats-error.ts";
import { betaInc } from "./beta.ts";
import { binomialTerm } from "./binomial-term.ts";
import { checkProbability } from "./check-probability.ts";

/**
 * Chance of exactly k successes in n draws at rate p. Relative error about 1e-13 up to n = 1e9: the saddle-point form
 * of Loader 2000 has no factorials and no cancelling logarithms.
 *
 * @throws StatsError `bad_count`, `bad_probability`
 */
export function binomialPmf(k: number, n: number, p: number): number {
  checkCounts(k, n);
  checkProbability(p);
  return binomialTerm(k, n - k, p, 1 - p);
}

/**
 * Chance of at most k successes in n draws at rate p.
 *
 * @throws StatsError `bad_count`, `bad_probability`
 */
export function binomialCdf(k: number, n: number, p: number): number {
  checkCounts(k, n);
  checkProbability(p);
  if (k === n) return 1;
  return betaInc(n - k, k + 1, 1 - p);
}

function checkCounts(k: number, n: number): void {
  if (!Number.isSafeInteger(n) || !Number.isSafeInteger(k) || k < 0 || k > n) {
    throw new StatsError("bad_count", `${k} successes of ${n} draws were asked for.`, "Pass whole numbers, 0 to n.");
  }
}
