import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatPassAt, formatPassAtBy, formatPassCurve } from "./format-pass-at.ts";
import { passAt } from "./pass-at.ts";
import { passAtBy } from "./pass-at-by.ts";

const rows = (task_id: string, rewards: (number | null)[], extra: Partial<Row> = {}): Row[] =>
  rewards.map((reward) => ({ task_id, reward, ...extra }));

const FOUR = [
  ...rows("a", [1, 1, 1, 1]),
  ...rows("b", [1, 0, 1, 0]),
  ...rows("c", [0, 0, 0, 0]),
  ...rows("d", [1, 1, 1, 0]),
];

test("a clean set is one line", () => {
  expect(formatPassAt(passAt(FOUR))).toBe(
    "pass@1 0.56 [0.18..0.88] | pass^4 (pass_pow_k) 0.25 [0.05..0.70] | pass@4 0.75 [0.30..0.95] | " +
      "headroom 0.19 (4 groups, k=4)",
  );
});

test("what the number rests on comes in the brackets, the rest under it", () => {
  const report = passAt([
    ...rows("a", [1, 0, 1, 0], { finish_reason: "length", final_text: "ok" }),
    ...rows("b", [1, 1, 0, null], { finish_reason: "stop", final_text: "<think>hm", rollout_id: "r" }),
    ...rows("c", [null], { judge_status: "error" }),
    ...rows("d", [0.5]),
    { reward: 1 },
  ]);
  expect(formatPassAt(report).split("\n")).toEqual([
    "pass@1 0.72 [0.22..0.96] | pass^3 (pass_pow_k) n/a | pass@3 n/a | headroom n/a (3 groups, k=3; " +
      "50% of rows cut by the token cap; 50% of rows with no spoken reply; " +
      "graded 8 of 11 rows and 3 of 5 tasks, 1 lost to errors; pass@1 0.50 if every ungraded row had failed; " +
      "1 of 11 rows with partial credit left out; tasks have 3 to 4 graded rollouts and k is the smallest of these, " +
      "under 4; 1 task reached 4: pass k, or finish the cut groups)",
    "  warning: 1 row without scenario_id, task_id or prompt, counted as a task of its own each; set task_id",
    "  warning: 3 rows with the rollout_id of another row of the same task, counted again: was a file loaded twice?",
  ]);
});

test("one task is one group", () => {
  expect(formatPassAt(passAt(rows("a", [1, 0, 1, 1])))).toContain("(1 group, k=4; ");
});

test("a rate that is the same on every task says whose interval stands there", () => {
  const same = ["a", "b", "c"].flatMap((task) => rows(task, [1, 0]));
  expect(formatPassAt(passAt(same, { minK: 2 }))).toBe(
    "pass@1 0.50 [0.13..0.87] | pass^2 (pass_pow_k) 0.00 [0.00..0.56] | pass@2 1.00 [0.44..1.00] | headroom 0.50 " +
      "(3 groups, k=2; pass@1, pass^2, pass@2: the same on every task, so resampling has no width; " +
      "score interval over the tasks instead)",
  );
});

test("the curve is a table, three decimals as benchmarks publish them", () => {
  expect(formatPassCurve(passAt(FOUR))).toBe(
    [
      "k  pass^k             95%  pass@k             95%  tasks",
      "1   0.562  [0.183..0.880]   0.562  [0.183..0.880]      4",
      "2   0.417  [0.109..0.806]   0.708  [0.272..0.940]      4",
      "3   0.312  [0.067..0.742]   0.750  [0.301..0.954]      4",
      "4   0.250  [0.046..0.699]   0.750  [0.301..0.954]      4",
    ].join("\n"),
  );
});

test("two tasks have no intervals, and nothing graded has no curve", () => {
  expect(formatPassCurve(passAt([...rows("a", [1]), ...rows("b", [0])]))).toBe(
    ["k  pass^k  95%  pass@k  95%  tasks", "1   0.500        0.500           2"].join("\n"),
  );
  expect(formatPassCurve(passAt([]))).toBe("pass^k curve: not measured, no graded rows");
});

test("groups are a line each", () => {
  const grouped = [...rows("a", [1, 1], { tier: "easy" }), ...rows("b", [0, 0], { tier: "hard" }), ...rows("c", [1])];
  const lines = formatPassAtBy(passAtBy(grouped, "tier")).split("\n");
  expect(lines[0]).toMatch(/^tier easy: pass@1 1\.00 \|/);
  expect(lines[1]).toMatch(/^tier hard: pass@1 0\.00 \|/);
  expect(lines[2]).toBe("1 row without a value of tier, in no group");
  expect(formatPassAtBy(passAtBy([], "tier"))).toBe("by tier: not measured, no row has a value");
});
