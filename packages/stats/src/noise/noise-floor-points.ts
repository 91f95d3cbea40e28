import { sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { noiseBand } from "./noise-band.ts";

/**
 * The noise floor of an eval in points, 0 to 100: what two single scorings of one agent can differ by, with the
 * spread's own uncertainty in it (t with runs - 1 degrees of freedom). Two runs give a floor 2.9 times as wide as
 * three with the same spread.
 *
 * @param runMeans The score of each run, as a share
 * @returns null under two runs
 * @throws StatsError `bad_value`
 */
export function noiseFloorPoints(runMeans: readonly number[]): number | null {
  sampleOf(runMeans);
  const runStd = sampleSd(runMeans);
  return runStd === null ? null : 100 * noiseBand(runStd, { df: runMeans.length - 1 });
}
