import { VARIANCE_BANDS } from "../constants.ts";
import { StatsError } from "../stats-error.ts";

export type Stability = "very_stable" | "stable" | "high_variance";

/**
 * How much an eval moves when it is run again: a standard deviation under 0.35 points is very stable, under 0.7
 * stable. With the setup held constant 0.25 to 1.5 points are usual (Lambert 2025).
 *
 * @param runStd As a share, 0.01 for a point
 * @throws StatsError `bad_value`
 */
export function stabilityBand(runStd: number): Stability {
  if (!(runStd >= 0 && Number.isFinite(runStd))) {
    throw new StatsError("bad_value", `runStd is ${runStd}.`, "Pass a standard deviation, 0 or more.");
  }
  const points = 100 * runStd;
  if (points < VARIANCE_BANDS.veryStable) return "very_stable";
  return points < VARIANCE_BANDS.stable ? "stable" : "high_variance";
}
