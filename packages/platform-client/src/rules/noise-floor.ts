import { roundHalfEven } from "@while/schema";
import { type EvalVariance, tQuantile } from "@while/stats";
import { PlatformError } from "../platform-error.ts";

/** What a score moves by itself, from the scores of one version run again. */
export interface NoiseFloor {
  behavior: string;
  /** Points, two decimals. */
  noiseFloor: number;
  /** Standard deviation of the run means, a share. */
  runStd: number;
  runs: number;
  /** Two-sided 95% quantile of t with runs - 1 degrees of freedom, two decimals. */
  t: number;
  /** The score of each run, a share. */
  means: number[];
  rule: string;
  notes: string[];
}

/**
 * The floor of a behavior as it is declared: t · run_std · √2 in points. With no true change 5% of the differences of
 * two single runs exceed it, from two re-runs as from ten.
 *
 * @param variance Of the re-runs, by `evalVariance`
 * @throws PlatformError `bad_value` under two runs with scores: one run is one draw
 */
export function noiseFloorOf(
  behavior: string,
  variance: Pick<EvalVariance, "means" | "runStd" | "noiseFloorPoints">,
): NoiseFloor {
  const means = [...variance.means.values()].filter((mean) => mean !== null);
  const { runStd, noiseFloorPoints } = variance;
  if (runStd === null || noiseFloorPoints === null || means.length < 2) {
    throw new PlatformError(
      "bad_value",
      `${means.length} of ${variance.means.size} re-runs have scores.`,
      "A noise floor needs two or more: run the same eval on the same version again.",
    );
  }
  const runs = means.length;
  return {
    behavior,
    noiseFloor: roundHalfEven(noiseFloorPoints, 2),
    runStd: roundHalfEven(runStd, 4),
    runs,
    t: roundHalfEven(tQuantile(runs - 1, 0.95), 2),
    means,
    rule: `t(df ${runs - 1}) x run_std x sqrt(2), in points: 5% of the differences of two single runs exceed it`,
    notes: runs === 2 ? ["two runs give a difference and no distribution: run it once more"] : [],
  };
}
