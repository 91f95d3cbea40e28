import { CI_LEVEL, Z_95 } from "../constants.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { StatsError } from "../stats-error.ts";

export interface NoiseBandOptions {
  /** Scorings behind each of the two numbers. */
  nA?: number;
  nB?: number;
  /** Degrees of freedom of `runStd`, runs - 1; null takes it for exact, which is seldom true. */
  df?: number | null;
  level?: number;
}

/**
 * How far two scores of the same agent differ by chance: quantile · runStd · √(1/nA + 1/nB), in the unit of `runStd`.
 * From three runs (df 2) the quantile is 4.30 and not 1.96: read as exact, such a spread lets 19 of 100 differences of
 * pure noise out of the band instead of 5.
 *
 * @param runStd Standard deviation of a score from scoring to scoring
 * @throws StatsError `bad_value`, `bad_count`, `bad_level`
 */
export function noiseBand(
  runStd: number,
  { nA = 1, nB = 1, df = null, level = CI_LEVEL }: NoiseBandOptions = {},
): number {
  if (!(runStd >= 0 && Number.isFinite(runStd))) {
    throw new StatsError("bad_value", `runStd is ${runStd}.`, "Pass a standard deviation, 0 or more.");
  }
  for (const n of [nA, nB]) {
    if (Number.isSafeInteger(n) && n >= 1) continue;
    throw new StatsError("bad_count", `A number of runs is ${n}.`, "Pass whole numbers of at least 1.");
  }
  checkLevel(level);
  return quantile(df, level) * runStd * Math.sqrt(1 / nA + 1 / nB);
}

function quantile(df: number | null, level: number): number {
  if (df !== null) return tQuantile(df, level);
  return level === CI_LEVEL ? Z_95 : normalQuantile((1 + level) / 2);
}
