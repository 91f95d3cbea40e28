import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_probability` when p is not a share from 0 to 1 */
export function checkProbability(p: number): void {
  if (p >= 0 && p <= 1) return;
  throw new StatsError("bad_probability", `The probability is ${p}.`, "Pass a share from 0 to 1.");
}
