import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { passAt } from "../pass-at/pass-at.ts";
import { metricSummary } from "./metric-summary.ts";

const marked = (task_id: string, values: unknown[]): Row[] =>
  values.map((m) => ({ task_id, reward: 1, markers: { m } }) as Row);

test("a NaN or infinite marker is left out and counted; the mean is a number", () => {
  const rows = [
    ...marked("a", [0.5, Number.NaN]),
    ...marked("b", [0.25]),
    ...marked("c", [Number.POSITIVE_INFINITY, 0]),
  ];
  const report = metricSummary(rows, "marker:m");
  expect(report).toMatchObject({ mean: 0.25, nRows: 3, nRowsTotal: 5, nNonFinite: 2, nTasks: 3 });
  expect(report.warnings).toEqual([
    { code: "non_finite", text: "marker:m is NaN, infinite or beyond 1e70 on 2 rows, left out" },
  ]);
});

test("a marker with no values says so and has no mean", () => {
  const report = metricSummary(marked("a", [Number.NaN, null]), "marker:m");
  expect(report).toMatchObject({ mean: null, ci95: null, degenerate: false, nRows: 0, nNonFinite: 1, range: null });
  expect(report.note).toBe(
    "no interval for marker:m: carried by 0 tasks and the interval is over tasks, at least 3 (add situations, not rollouts)",
  );
});

test("a marker that never moves has no interval and a warning that names the trap", () => {
  const report = metricSummary(
    ["a", "b", "c"].flatMap((task) => marked(task, [1])),
    "marker:m",
  );
  expect(report).toMatchObject({ degenerate: true, ci95: null, ciMethod: null, note: "" });
  expect(report.warnings[0]).toEqual({
    code: "degenerate",
    text:
      "marker:m is 1.00 on every row that carries it (3): nothing shows that it can take another value, " +
      "a misspelt key would look the same; do not guard with it (must_not_regress)",
  });
});

test("a pass rate that never moves keeps its interval, the one passAt prints", () => {
  const rows = Array.from({ length: 50 }, (_, i): Row => ({ task_id: `t${i}`, reward: 1 }));
  const report = metricSummary(rows);
  expect(report).toMatchObject({ degenerate: true, ciMethod: "score" });
  expect(report.ci95).toEqual(passAt(rows).ci95);
  expect(metricSummary(rows, "pass_at_1", { inference: "compat" }).ci95).toBeNull();
});

test("values outside 0..1 are reported with their range, not read as a rate", () => {
  const report = metricSummary([...marked("a", [80]), ...marked("b", [120]), ...marked("c", [300])], "marker:m");
  expect(report.range).toEqual([80, 300]);
  expect(report.warnings).toEqual([
    { code: "outside_0_1", text: "marker:m runs from 80.00 to 300.00: not a share, read it in its own unit" },
  ]);
});

test("task means that agree outside [0, 1] have no interval, and the note says why", () => {
  const report = metricSummary(
    ["a", "b", "c"].flatMap((task) => marked(task, [90, 110])),
    "marker:m",
  );
  expect(report).toMatchObject({ mean: 100, degenerate: false, ci95: null });
  expect(report.note).toMatch(/all the same and outside \[0, 1\]/);
});

test("pass_at_1 is what passAt calls pass@1, for rows that need qwen_reward too", () => {
  const rows: Row[] = [
    { task_id: "a", reward: 1 },
    { task_id: "a", reward: 0.5, qwen_reward: 0 },
    { task_id: "b", reward: 0 },
    { task_id: "c", reward: 1 },
  ];
  const { mean, ci95, nTasks, nRows } = metricSummary(rows);
  const report = passAt(rows);
  expect({ mean, ci95, nTasks, nRows }).toEqual({
    mean: report.passAt1,
    ci95: report.ci95,
    nTasks: report.nGroups,
    nRows: report.nRows,
  });
});

test("rows without a key are counted and warned about", () => {
  const { nWithoutKey, nTasks, warnings } = metricSummary([{ reward: 1 }, { reward: 0 }]);
  expect({ nWithoutKey, nTasks }).toEqual({ nWithoutKey: 2, nTasks: 2 });
  expect(warnings.map(({ code }) => code)).toEqual(["no_task_key"]);
});

test("an option that cannot be is refused under either rule", () => {
  expect(() => metricSummary([], "pass_at_1", { seed: 0.5 })).toThrow("The seed is 0.5.");
  expect(() => metricSummary([], "pass_at_1", { nBoot: 0 })).toThrow("The number of draws is 0.");
  expect(() => metricSummary([], "pass_at_1", { draws: 10 } as object)).toThrow("There is no option draws.");
});
