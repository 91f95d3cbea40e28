import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { compareRuns, deltaReport, evalVariance, formatDeltaReport, metricSummary, passAt } from "../src/index.ts";

/** A rollout a reward; null was never graded. */
const task = (task_id: string, rewards: readonly (number | null)[], extra: Partial<Row> = {}): Row[] =>
  rewards.map((reward): Row => ({ task_id, reward, ...extra }));
const tasks = (n: number, rewards: (i: number) => readonly (number | null)[], extra: Partial<Row> = {}): Row[] =>
  Array.from({ length: n }, (_, i) => task(`t${i}`, rewards(i), extra)).flat();

const LOST = { termination_reason: "infrastructure_error" };

describe("rollouts that were lost to the infrastructure", () => {
  test("a failure beside lost trials is not a rate of zero over all planned ones", () => {
    const report = passAt([
      ...task("t1", [0]),
      ...task("t1", [null, null], LOST),
      ...task("t2", [null, null, null], LOST),
    ]);
    expect(report).toMatchObject({
      passAt1: 0,
      ci95: null,
      nRows: 1,
      nRowsTotal: 6,
      nLost: 5,
      nGroups: 1,
      nTasksTotal: 2,
    });
  });

  test("a side that lost half of its trials is not compared as if the rest were a random sample", () => {
    const before = tasks(24, (i) => [0, i % 2, 0, 1]);
    const after = [...tasks(24, () => [1, 1]), ...tasks(24, () => [null, null], LOST)];
    const report = deltaReport(before, after, { target: "pass_at_1" });
    expect(report).toMatchObject({ headline: "NOT COMPARABLE (graded_share)", ok: false, gradedBound: 1 });
    expect(formatDeltaReport(report)).toContain("graded 100% -> 50%: ungraded rows could move the delta by 1.000");
  });
});

describe("partial credit", () => {
  test("two halves are no success in a comparison either: those rows are left out and counted", () => {
    const report = compareRuns(
      tasks(8, () => [0, 1]),
      tasks(8, () => [0.5, 0.5]),
    );
    expect(report).toMatchObject({ delta: null, ci95: null, verdict: "insufficient_data", nRowsB: 0, nRowsTotalB: 16 });
    expect(report.warnings.map(({ text }) => text)).toContain(
      "16 of 16 rows of b without pass_at_1 (no reward of 0 or 1), left out",
    );
  });

  test("no reward above one makes a rate above one", () => {
    const rows = [...task("a", [2, 1]), ...task("b", [1.5, 1]), ...task("c", [100, 0])];
    expect(passAt(rows)).toMatchObject({ passAt1: 2 / 3, nRows: 3 });
    expect(evalVariance([rows, rows]).mean).toBeLessThanOrEqual(1);
    expect(compareRuns(rows, rows)).toMatchObject({ meanA: 2 / 3, meanB: 2 / 3 });
  });
});

describe("no interval of a rate has width zero", () => {
  test("fifty tasks that did not move are not known to a point", () => {
    const rows = tasks(50, (i) => [i % 2]);
    const [low, high] = compareRuns(rows, rows).ci95!;
    expect(low).toBeLessThan(-0.03);
    expect(high).toBeGreaterThan(0.03);
  });

  test("one pass among a thousand, and one miss", () => {
    for (const [one, rest] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const { passAt1, ci95 } = passAt(tasks(1000, (i) => [i === 0 ? one : rest]));
      expect(ci95![0]).toBeLessThan(passAt1!);
      expect(ci95![1]).toBeGreaterThan(passAt1!);
    }
  });

  test.each([1, 0, 400])("a marker that is %d on every row has no interval of ±0.000, and a warning instead", (m) => {
    const report = metricSummary(
      tasks(20, () => [1], { markers: { m } }),
      "marker:m",
    );
    expect(report).toMatchObject({ mean: m, ci95: null, degenerate: true });
    expect(report.warnings.length).toBeGreaterThan(0);
  });
});

describe("a mean and its interval belong to one estimator", () => {
  test("tasks with many rollouts weigh as much as tasks with one, in the mean and in its interval", () => {
    const rows = [
      ...tasks(10, () => Array(20).fill(1)),
      ...tasks(10, () => [0]).map((row) => ({ ...row, task_id: `u${row.task_id}` })),
    ];
    const { passAt1, ci95 } = passAt(rows);
    expect(passAt1).toBe(0.5); // of 210 rows, 200 passed
    // 20 coins know a rate of one half to within 0.2, 210 to within 0.07.
    expect((ci95![1] - ci95![0]) / 2).toBeGreaterThan(0.18);
  });

  test("the headline's delta is over tasks and not over groups, and so is its interval", () => {
    const arm = (small: number, big: number) => [
      ...tasks(10, () => [small], { tier: "small" }),
      ...tasks(200, (i) => [i % 4 < big ? 1 : 0], { tier: "big" }).map((row) => ({
        ...row,
        task_id: `b${row.task_id}`,
      })),
    ];
    const report = deltaReport(arm(0, 2), arm(1, 2), { target: "pass_at_1", by: "tier" });
    expect(report.targetDelta).toBeCloseTo(10 / 210, 12); // the mean of two groups would be 0.5
    expect(report.targetCi95![1]).toBeLessThan(0.1);
    expect(report.groups!.get("small")!.delta).toBe(1);
  });
});
