import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type IntervalOverRunsInput, intervalOverRuns } from "./interval-over-runs.ts";
import { rolloutNoise } from "./rollout-noise.ts";

const input: IntervalOverRunsInput = {
  ...{ delta: 0.1, ci95: [0.02, 0.18], taskSe: 0.04, taskDf: 29 },
  ...{ runStd: 0.05, runDf: 4, rolloutNoise: 0.0016, nA: 3, nB: 3, level: 0.95 },
};

test.each([
  // what differs, low, high, df, variance of tasks, of runs
  // 0.04² + (0.05² - 0.0016)·2/3 = 0.0022; df = 0.0022² / (0.0016²/29 + (0.0025·2/3)²/4) = 6.19; t = 2.43
  [{}, -0.01391, 0.21391, 6.187, 0.0016, 0.0006],
  // All that runs differ by is their rollouts, which the task variance holds: t(4) = 2.78, no fewer than the runs have
  [{ rolloutNoise: 0.0025 }, -0.01106, 0.21106, 4, 0.0016, 0],
  // A spread that is known exactly
  [{ runDf: null }, 0.006, 0.194, 54.83, 0.0016, 0.0006],
  // One run a side knows three times less of the agent
  [{ nA: 1, nB: 1 }, -0.06189, 0.26189, 4, 0.0016, 0.0018],
] as const)("intervalOverRuns %j", (more, low, high, df, taskVariance, runVariance) => {
  const report = intervalOverRuns({ ...input, ...more });
  expect(report.ci95[0]).toBeCloseTo(low, 4);
  expect(report.ci95[1]).toBeCloseTo(high, 4);
  expect([report.df, report.taskVariance, report.runVariance]).toEqual([
    expect.closeTo(df, 1),
    expect.closeTo(taskVariance, 9),
    expect.closeTo(runVariance, 9),
  ]);
});

const unit = fc.double({ min: 0, max: 1, noNaN: true });
test("it is never narrower than the tasks' own, and always numbers", () => {
  fc.assert(
    fc.property(unit, unit, unit, fc.option(fc.integer({ min: 1, max: 9 })), (taskSe, runStd, noise, runDf) => {
      const { ci95, df } = intervalOverRuns({ ...input, taskSe, runStd, rolloutNoise: noise, runDf });
      expect(ci95[0]).toBeLessThanOrEqual(input.ci95[0]);
      expect(ci95[1]).toBeGreaterThanOrEqual(input.ci95[1]);
      expect(df).toBeGreaterThan(0);
    }),
  );
});

const task = (task_id: string, rewards: readonly number[]) => rewards.map((reward): Row => ({ task_id, reward }));
const of = (rows: readonly Row[], nRuns: number) =>
  rolloutNoise(rows, { metric: "pass_at_1", nRuns, inference: "strict" });

test.each([
  // s² of 1, 0, 1, 0 is 1/3; two runs of two rollouts: (1/3 / 2) / 1
  ["one task", task("a", [1, 0, 1, 0]), 2, 1 / 6],
  // s² 1/3 and 0 are 1/6 on average, over 4 rollouts, over 2 tasks
  ["two tasks", [...task("a", [1, 0, 1, 0]), ...task("b", [1, 1, 1, 1])], 1, 1 / 48],
  [
    "a task of one rollout takes the spread of the others",
    [...task("a", [1, 0]), ...task("b", [1])],
    1,
    (0.5 * 1.5) / 4,
  ],
  ["no task of two rollouts: no spread is known", task("a", [1]), 1, null],
  ["nothing", [], 1, null],
] as const)("rolloutNoise: %s", (_, rows, nRuns, expected) => {
  const variance = of(rows, nRuns);
  if (expected === null) expect(variance).toBeNull();
  else expect(variance).toBeCloseTo(expected, 12);
});
