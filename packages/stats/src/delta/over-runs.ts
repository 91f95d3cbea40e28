import type { Row } from "@while/schema";
import type { RunComparison } from "../compare/compare-runs.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { type IntervalOverRuns, intervalOverRuns } from "../noise/interval-over-runs.ts";
import { rolloutNoise } from "../noise/rollout-noise.ts";
import type { MetricFloor } from "./noise-floor.ts";

/** The metric's interval with what runs differ by in it; null without an interval or without re-runs. */
export function overRuns(
  [before, after]: readonly [readonly Row[], readonly Row[]],
  comparison: RunComparison,
  { floor, gains }: { floor: MetricFloor; gains: readonly number[] },
): IntervalOverRuns | null {
  const { metric, inference, delta, ci95, ciMethod, paired, nUsed, level } = comparison;
  const { runStd, df: runDf, nA, nB, replicated } = floor;
  if (delta === null || ci95 === null || runStd === null || !replicated) return null;
  const taskDf = (paired ? gains.length : nUsed) - 1;
  const taskSe = paired
    ? sampleSd(gains)! / Math.sqrt(gains.length)
    : (ci95[1] - ci95[0]) / 2 / tQuantile(taskDf, level);
  const noise = [
    rolloutNoise(before, { metric, nRuns: nA, inference }),
    rolloutNoise(after, { metric, nRuns: nB, inference }),
  ].filter((variance) => variance !== null);
  const mean = noise.length === 0 ? 0 : noise.reduce((total, variance) => total + variance, 0) / noise.length;
  const noises = { runStd, runDf, rolloutNoise: mean, nA, nB };
  const report = intervalOverRuns({ delta, ci95, taskSe, taskDf, ...noises, level });
  // Those two are of shares, whose difference lies in [-1, 1].
  if (ciMethod !== "effective_n" && ciMethod !== "adjusted") return report;
  return { ...report, ci95: [Math.max(-1, report.ci95[0]), Math.min(1, report.ci95[1])] };
}
