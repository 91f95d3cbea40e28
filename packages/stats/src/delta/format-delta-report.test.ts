import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { deltaReport } from "./delta-report.ts";
import { formatDeltaReport } from "./format-delta-report.ts";

const arm = (solved: readonly (readonly number[])[], extra: (task: number) => Partial<Row>): Row[] =>
  solved.flatMap((rewards, task) => rewards.map((reward): Row => ({ task_id: `t${task}`, reward, ...extra(task) })));

const BEFORE = [
  [0, 0],
  [1, 0],
  [0, 0],
  [1, 1],
  [0, 1],
  [0, 0],
  [1, 0],
  [0, 0],
];
const AFTER = [
  [1, 0],
  [1, 1],
  [1, 1],
  [1, 1],
  [1, 1],
  [1, 0],
  [1, 1],
  [0, 1],
];

test("the verdict, what it rests on, a line a metric, the groups from the weakest, the warnings", () => {
  const before = arm(BEFORE, (task) => ({
    markers: { polite: 1, refusal: task % 2 },
    tier: task < 6 ? "easy" : "hard",
    sampling: { temperature: 0.2 },
    final_text: "done",
  }));
  const after = arm(AFTER, (task) => ({
    markers: { polite: task === 0 ? 0.5 : 1, refusal: 0 },
    tier: task < 6 ? "easy" : "hard",
    sampling: { temperature: 0.7 },
    final_text: "done",
  }));
  const report = deltaReport(before, after, {
    target: "pass_at_1",
    mustNotRegress: ["polite"],
    lowerIsBetter: ["refusal"],
    proxy: "polite",
    by: "tier",
    runStd: 0.02,
    runStdRuns: 3,
  });
  expect(formatDeltaReport(report)).toMatchInlineSnapshot(`
    "PASS
    target pass_at_1: moved +0.500 95% [+0.216..+0.706] over 8 paired tasks
    proxy marker:polite: no_change_detected -0.062 95% [-0.207..+0.084]
    eval noise: run_std 0.0200, band 0.1217 = t(df=2)=4.30 x run_std x sqrt(1/1 + 1/1) (given, from 3 runs)
    temperature 0.2 -> 0.7
    3 metrics: up to 14% chance of some false alarm
    answered 100% -> 100%
    lower is better: marker:refusal
      pass_at_1                    0.312 -> 0.812  +0.500 [+0.216..+0.706]  up (8 paired) with runs [+0.216..+0.725]
      marker:polite                1.000 -> 0.938  -0.062 [-0.207..+0.084]  noise (8 paired) with runs [-0.218..+0.093]
      marker:refusal               0.500 -> 0.000  -0.500 [-0.798..-0.006]  flat (8 paired) with runs [-0.948..-0.006]
    by tier:
      easy                         0.333 -> 0.833  +0.500 [+0.081..+0.769]  better (6 paired)
      hard                         0.250 -> 0.750  +0.500 n/a  n/a (2 unpaired)
    ! the guard marker:polite shows no drop, and a drop of 0.05 is not ruled out: the bound is -0.181; the smallest drop these tasks would show is 0.200
    ! the temperature is 0.2 before and 0.7 after: the delta is of both changes"
  `);
});

test("without data every part says so", () => {
  const nothing = formatDeltaReport(
    deltaReport([], [], { target: "polite", proxy: "brief", by: "tier", balanceRollouts: true }),
  );
  expect(nothing).toMatchInlineSnapshot(`
    "TARGET NOT MEASURED
    target marker:polite: target_not_measured
    proxy marker:brief: proxy_not_measured
      pass_at_1                    insufficient data
    balanced: 0 rows left out before, 0 after, on 0 tasks
    ! the target marker:polite is not measured on both sides; measured: pass_at_1
    ! the proxy marker:brief is not measured on both sides
    ! no group of tier is on both sides"
  `);
});

test("strict shows the weakest group first, compat keeps the order of names", () => {
  const rows = (easy: readonly number[], hard: readonly number[]) =>
    arm(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? easy : hard)),
      (task) => ({ tier: task % 2 ? "easy" : "hard" }),
    );
  const groupsIn = (inference: "compat" | "strict") =>
    formatDeltaReport(deltaReport(rows([1, 0], [1, 0]), rows([1, 1], [0, 0]), { by: "tier", inference })).match(
      /^ {2}(easy|hard)/gm,
    );
  expect(groupsIn("strict")).toEqual(["  hard", "  easy"]);
  expect(groupsIn("compat")).toEqual(["  easy", "  hard"]);
});

test("no difference is not equality: the line below says whether that was shown", () => {
  const quiet = arm(
    Array.from({ length: 60 }, (_, i) => [1, i % 2, 0, 0]),
    () => ({}),
  );
  const nudged = quiet.map((row, i) => (i === 2 ? { ...row, reward: 1 } : i === 8 ? { ...row, reward: 1 } : row));
  const secondLine = (before: readonly Row[], after: readonly Row[]) =>
    formatDeltaReport(deltaReport(before, after)).split("\n")[1];
  expect(secondLine(quiet, nudged)).toBe("proven to have changed by less than 0.05");
  const few = (rows: readonly Row[]) => rows.slice(0, 32);
  expect(secondLine(few(quiet), few(nudged))).toBe("not proven to have changed by less than 0.05");
});
