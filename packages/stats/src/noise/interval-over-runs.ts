import type { Interval } from "../interval/interval.ts";
import { tQuantile } from "../kernel/student-t.ts";

/** An interval with two sources of chance in it: which tasks were asked, and which run it was. */
export interface IntervalOverRuns {
  /** At the level asked for; never narrower than the tasks' own. */
  ci95: Interval;
  /** Degrees of freedom of its spread (Satterthwaite 1946). */
  df: number;
  /** Part of the variance of the difference that tasks and their rollouts make. */
  taskVariance: number;
  /** Part that runs make beyond the rollouts in them. */
  runVariance: number;
}

export interface IntervalOverRunsInput {
  delta: number;
  /** Of the tasks alone. */
  ci95: Interval;
  /** Standard error of `delta` over tasks, and what it was estimated on less one. */
  taskSe: number;
  taskDf: number;
  /** Standard deviation of a run's mean from run to run; its degrees of freedom, null taken for exact. */
  runStd: number;
  runDf: number | null;
  /** Variance of a run's mean that rollouts alone make; it is in `taskSe` already. */
  rolloutNoise: number;
  /** Runs behind each side. */
  nA: number;
  nB: number;
  level: number;
}

/**
 * One interval in place of two hurdles: the variance over tasks, which holds the noise of their rollouts, plus what runs
 * differ by beyond that noise, on Satterthwaite's degrees of freedom. The uncertainty of the run part is that of the
 * spread that was seen, so few runs are never read as many.
 *
 * `pnpm bench calibration --study runs` draws equal agents whose runs differ, and counts how often the tasks alone and this
 * interval call them different.
 */
export function intervalOverRuns(input: IntervalOverRunsInput): IntervalOverRuns {
  const { delta, ci95, taskSe, taskDf, runStd, runDf, rolloutNoise, nA, nB, level } = input;
  const perRun = 1 / nA + 1 / nB;
  const taskVariance = taskSe ** 2;
  const runVariance = Math.max(0, runStd ** 2 - rolloutNoise) * perRun;
  const total = taskVariance + runVariance;
  if (total === 0) return { ci95, df: taskDf, taskVariance, runVariance };
  // Subtracting the rollouts leaves the uncertainty of the spread that was seen.
  const seen = runStd ** 2 * perRun;
  const spread = taskVariance ** 2 / taskDf + (runDf === null ? 0 : seen ** 2 / runDf);
  const df = spread === 0 ? MANY : Math.max(total ** 2 / spread, Math.min(taskDf, runDf ?? taskDf));
  const half = tQuantile(Math.min(df, MANY), level) * Math.sqrt(total);
  return { ci95: [Math.min(ci95[0], delta - half), Math.max(ci95[1], delta + half)], df, taskVariance, runVariance };
}

/** Degrees of freedom from which Student's t is the normal distribution to six digits. */
const MANY = 1e7;
