import type { Interval } from "../interval/interval.ts";
import { StatsError } from "../stats-error.ts";

export interface ScoredPair {
  /** Score of the model that may replace the other, in points. */
  candidate: number;
  /** Half of its interval; null when not known. */
  candidateCi: number | null;
  /** Score of the model that is served, in the same points. */
  served: number;
  servedCi: number | null;
  /** What two scorings differ by through chance alone, in points; null or left out when not declared. */
  noiseFloor?: number | null;
}

export interface DifferenceInterval {
  /** candidate - served, in points. */
  delta: number;
  /** √(candidateCi² + servedCi²); null when either is not known. */
  halfWidth: number | null;
  ci: Interval | null;
  /** The interval excludes zero, and the difference is beyond the noise floor. */
  clears: boolean;
  /** What the candidate does; null unless it clears. */
  standing: "beats" | "trails" | null;
}

/**
 * The difference of two scores that come with intervals of their own, as a scoreboard shows them. Where the rows are at
 * hand `compareRuns` says more: it pairs the tasks, and this cannot. Scores are taken in the points they come in.
 *
 * @throws StatsError `bad_value` for a score that is not finite, or a width or floor below 0
 */
export function differenceInterval({
  candidate,
  candidateCi,
  served,
  servedCi,
  noiseFloor = null,
}: ScoredPair): DifferenceInterval {
  for (const [name, score] of Object.entries({ candidate, served })) {
    if (Number.isFinite(score)) continue;
    throw new StatsError("bad_value", `${name} is ${score}.`, "Pass a score in points.");
  }
  for (const [name, width] of Object.entries({ candidateCi, servedCi, noiseFloor })) {
    if (width === null || (width >= 0 && Number.isFinite(width))) continue;
    throw new StatsError("bad_value", `${name} is ${width}.`, "Pass points, 0 or more, or null when not known.");
  }
  const delta = candidate - served;
  if (candidateCi === null || servedCi === null) {
    return { delta, halfWidth: null, ci: null, clears: false, standing: null };
  }
  const halfWidth = Math.hypot(candidateCi, servedCi);
  const clears = Math.abs(delta) > halfWidth && Math.abs(delta) > (noiseFloor ?? 0);
  const standing = delta > 0 ? "beats" : "trails";
  return { delta, halfWidth, ci: [delta - halfWidth, delta + halfWidth], clears, standing: clears ? standing : null };
}
