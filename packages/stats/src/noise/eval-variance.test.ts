import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type EvalVarianceOptions, evalVariance } from "./eval-variance.ts";
import { formatEvalVariance } from "./format-eval-variance.ts";

/** Tasks t0, t1, ... with a rollout each. */
const run = (rewards: readonly number[], more: Partial<Row> = {}): Row[] =>
  rewards.map((reward, i) => ({ task_id: `t${i}`, reward, ...more }));

const THREE = [run([1, 1, 0, 0, 1]), run([1, 1, 1, 0, 1]), run([1, 0, 0, 0, 1])];
const codes = (...args: Parameters<typeof evalVariance>) => evalVariance(...args).warnings.map(({ code }) => code);

test("both bands come from one call: the one that takes the spread for exact, and the floor", () => {
  const report = evalVariance(THREE);
  expect(report.runStd).toBeCloseTo(0.2, 12);
  expect(report.noiseBand).toBeCloseTo(1.96 * Math.SQRT2 * 0.2, 12);
  expect(report.noiseFloorPoints).toBeCloseTo(4.302653 * Math.SQRT2 * 20, 4);
});

test("a list of a run each, and one list that says its runs, are the same", () => {
  const stamped = THREE.flatMap((rows, i) => rows.map((row) => ({ ...row, lineage: { eval_run: i + 1 } })));
  const { means, ...report } = evalVariance([stamped]);
  const { means: labelled, ...expected } = evalVariance(THREE);
  expect(report).toEqual(expected);
  expect([...means]).toEqual([...labelled].map(([label, mean]) => [label.replace("run_", ""), mean]));
});

test("rows that name no run are counted; a list of only such rows is one run, which has no spread", () => {
  const rows = [
    ...run([1, 0], { lineage: { eval_run: 1 } }),
    ...run([1, 1], { lineage: { eval_run: 2 } }),
    ...run([0]),
  ];
  expect(evalVariance([rows])).toMatchObject({ nRuns: 2, nWithoutRun: 1 });
  expect(codes([rows])).toEqual(["no_run_id", "too_few_runs"]);
  expect(evalVariance([run([1, 0])])).toMatchObject({ nRuns: 1, mean: 0.5, runStd: null, noiseFloorPoints: null });
  expect(codes([run([1, 0])])).toEqual(["one_run"]);
});

test("runs without a value have no mean and do not count", () => {
  const report = evalVariance([...THREE, [{ task_id: "t0", reward: null }]]);
  expect(report).toMatchObject({ nRuns: 3, tasksInEveryRun: 5, nRows: 15, nRowsTotal: 16 });
  expect(report.notes).toEqual(["1 of 16 rows without pass_at_1, left out"]);
  expect(report.means.get("run_4")).toBeNull();
});

test("a marker that some runs lack has its own number of runs; compat leaves it out", () => {
  const runs = [run([1, 0], { markers: { brief: 1 } }), run([1, 1], { markers: { brief: 0 } }), run([1, 0])];
  const strict = evalVariance(runs);
  expect(strict.nRunsByMetric).toEqual(
    new Map([
      ["pass_at_1", 3],
      ["marker:brief", 2],
    ]),
  );
  expect(strict.runStdByMetric.get("marker:brief")).toBeCloseTo(Math.SQRT1_2, 12);
  expect([...evalVariance(runs, { inference: "compat" }).runStdByMetric.keys()]).toEqual(["pass_at_1"]);
});

test("what makes a spread say less is said", () => {
  expect(codes(THREE)).toEqual([]);
  expect(codes([THREE[0]!, THREE[0]!, THREE[0]!])).toEqual(["deterministic_rerun"]);
  expect(codes([run([1, 0]), run([1, 1, 0]), run([0, 0])])).toEqual(["different_tasks"]);
});

const anyRuns = fc.array(
  fc.array(fc.constantFrom(0, 1), { maxLength: 6 }).map((rewards) => run(rewards)),
  { minLength: 1, maxLength: 5 },
);

test("no number is NaN, and neither the order of rows, nor that of runs, nor a second copy of each row moves one", () => {
  fc.assert(
    fc.property(anyRuns, fc.constantFrom("strict" as const, "compat" as const), (runs, inference) => {
      const { means: _, ...report } = evalVariance(runs, { inference });
      JSON.stringify(report, (_, value) => {
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
        return value instanceof Map ? [...value] : value;
      });
      if (runs.length === 1) return;
      const shuffled = runs.map((rows) => [...rows].reverse());
      const { means: __, ...again } = evalVariance(shuffled, { inference });
      expect(again).toEqual(report);
      const { runStd } = evalVariance([...runs].reverse(), { inference });
      expect(runStd ?? -1).toBeCloseTo(report.runStd ?? -1, 12);
      expect(
        evalVariance(
          runs.map((rows) => [...rows, ...rows]),
          { inference },
        ).runStd,
      ).toBe(report.runStd);
    }),
  );
});

test.each([
  [[], {}, "evalVariance got no runs. Pass at least one list of rows."],
  [[{ task_id: "a" }], {}, "Run 0 is an object, not a list of rows."],
  [[[], { rows: [] }], {}, "Run 1 is an object, not a list of rows; it holds a list under .rows."],
  [["rows.jsonl"], {}, "Run 0 is a string, not a list of rows."],
  [[new Map()], {}, "Run 0 is a Map, not a list of rows."],
  ["rows.jsonl", {}, "evalVariance got a string."],
  [[[]], { metric: "brief" }, "There is no metric brief."],
  [[[]], { inference: "loose" }, 'inference is "loose".'],
  [[[]], { metrics: "x" }, "Did you mean metric?"],
])("%j, %j is refused", (runs, options, message) => {
  expect(() => evalVariance(runs as unknown as Row[][], options as EvalVarianceOptions)).toThrow(message);
});

test("the printed block", () => {
  const runs = THREE.map((rows, i) => rows.map((row) => ({ ...row, markers: { brief: i % 2 } })));
  expect(formatEvalVariance(evalVariance(runs))).toBe(
    [
      "pass_at_1 moves by 20.00 points from run to run (high_variance): two scorings differ by up to 121.70 points by chance",
      "  mean 0.600 over 3 runs, 5 tasks in every run",
      "  run_1: 0.600, run_2: 0.800, run_3: 0.400",
      "  band of 1.96, were the spread exact: 0.5544; hold gains against the points above",
      "  marker:brief: run std 0.5774 over 3 runs",
    ].join("\n"),
  );
  expect(formatEvalVariance(evalVariance([run([1, 0])]))).toBe(
    [
      "pass_at_1 from run to run: not measured, 1 run",
      "  mean 0.500 over 1 run, 2 tasks in every run",
      "  run_1: 0.500",
      "  one run: a spread needs more, 3 at least",
    ].join("\n"),
  );
});
