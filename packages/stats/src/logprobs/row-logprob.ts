import { isObject, type Row } from "@while/schema";

/** Summed log-probability of a completion and the tokens it is summed over. */
export interface RowLogprob {
  logprob: number;
  nTokens: number;
}

/** null unless the row has a finite `logprob` and a whole number of `n_tokens` above 0. Text is no log-probability. */
export function rowLogprob(row: Row): RowLogprob | null {
  const { logprob, n_tokens: nTokens } = row;
  if (typeof logprob !== "number" || !Number.isFinite(logprob)) return null;
  return typeof nTokens === "number" && Number.isSafeInteger(nTokens) && nTokens > 0 ? { logprob, nTokens } : null;
}

/** Some step's text was cut, so the sums of the row are over a part of it. */
export function hasTruncatedStep({ steps }: Row): boolean {
  return Array.isArray(steps) && steps.some((step) => isObject(step) && step.truncated === true);
}
