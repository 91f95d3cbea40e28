import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_level` when a confidence level is not a share strictly between 0 and 1 */
export function checkLevel(level: number): void {
  if (level > 0 && level < 1) return;
  throw new StatsError("bad_level", `The level is ${level}.`, "Pass a share between 0 and 1, e.g. 0.95.");
}
