import { type FileReport, type HeadlineRule, type Row, readRows, type ToolHeadline } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { passAt } from "../pass-at/pass-at.ts";
import { formatSecondOpinion } from "./format-second-opinion.ts";
import { type SecondOpinion, SecondOpinionTally, secondOpinion } from "./second-opinion.ts";

const OURS: HeadlineRule = { mean: "tasks", counts: "pass", lost: "left_out", k: 1, trials: null, reducer: null };

function headline(
  value: number,
  rule: Partial<HeadlineRule> | null = {},
  more: Partial<ToolHeadline> = {},
): ToolHeadline {
  return {
    ...{ name: "rate", value, stderr: null, n: null, of: null, source: "file", fromItems: null, unfinished: null },
    ...{ how: "as the tool has it", rule: rule === null ? null : { ...OURS, ...rule } },
    ...more,
  };
}

function file(rows: readonly Row[], toolHeadlines?: ToolHeadline[], path = "results.json"): FileReport {
  const counts = { records: rows.length, rows: rows.length };
  const report: FileReport = { path, format: "tool", container: "json-array", delimiter: null, ...counts };
  return toolHeadlines === undefined ? report : { ...report, toolHeadlines };
}

/** "a" with rewards 1, 0 and one lost: `{ a: [1, 0, null] }`. */
function rowsOf(tasks: Record<string, readonly (number | null)[]>): Row[] {
  return Object.entries(tasks).flatMap(([scenario_id, rewards]) =>
    rewards.map(
      (reward): Row => (reward === null ? { scenario_id, reward, judge_status: "error" } : { scenario_id, reward }),
    ),
  );
}

const UNEVEN = { a: [1, 1, 1, 0], b: [0], c: [1, 0] };

/** Rows, a tool's rule and its number, and the steps from ours to it. */
const RULES: readonly (readonly [
  title: string,
  tasks: Record<string, readonly (number | null)[]>,
  rule: Partial<HeadlineRule>,
  value: number,
  steps: readonly (readonly [code: string, from: number | null, to: number])[],
])[] = [
  ["the same rule", UNEVEN, {}, 1.25 / 3, []],
  ["rollouts are averaged", UNEVEN, { mean: "rows" }, 4 / 7, [["rows_not_tasks", 1.25 / 3, 4 / 7]]],
  ["a mean of rollouts over even tasks is ours", { a: [1, 0], b: [1, 1] }, { mean: "rows" }, 0.75, []],
  [
    "partial credit is averaged",
    { a: [1, 0.5], b: [0] },
    { counts: "reward" },
    0.375,
    [["partial_credit", 0.5, 0.375]],
  ],
  ["partial credit is no pass", { a: [1, 0.5], b: [0] }, {}, 0.25, [["partial_credit", 0.5, 0.25]]],
  ["nothing but partial credit", { a: [0.5] }, { counts: "reward" }, 0.5, [["partial_credit", null, 0.5]]],
  ["lost trials are failures", { a: [1, null], b: [0] }, { lost: "counted" }, 0.25, [["lost_trials", 0.5, 0.25]]],
  ["a task that was lost whole", { a: [1], b: [null] }, { lost: "counted" }, 0.5, [["lost_trials", 1, 0.5]]],
  ["lost trials are left out", { a: [1, null], b: [0] }, {}, 0.5, []],
  ["missing trials are failures", { a: [1, 1], b: [1] }, { trials: 2 }, 0.75, [["missing_trials", 1, 0.75]]],
  ["the best epoch", { a: [1, 0], b: [0, 0] }, { reducer: "max" }, 0.5, [["epochs_reduced", 0.25, 0.5]]],
  ["two good epochs", { a: [1, 0], b: [1, 1] }, { reducer: "at_least_2" }, 0.5, [["epochs_reduced", 0.75, 0.5]]],
  [
    "pass@2 of the epochs",
    { a: [1, 0, 0], b: [0] },
    { reducer: "pass_at_2" },
    2 / 3,
    [["epochs_reduced", 1 / 6, 2 / 3]],
  ],
  [
    "all at once",
    { a: [1, 1, 0.5], b: [null], c: [0, 0] },
    { mean: "rows", counts: "reward", lost: "counted" },
    2.5 / 6,
    [
      ["partial_credit", 0.5, 2.5 / 6],
      ["lost_trials", 2.5 / 6, 2.5 / 9],
      ["rows_not_tasks", 2.5 / 9, 2.5 / 6],
    ],
  ],
  ["pass^2 with the tasks that are long enough", { a: [1, 1], b: [1] }, { k: 2 }, 1, []],
  [
    "pass^2 with every task taken to have two trials",
    { a: [1, 1], b: [1] },
    { k: 2, trials: 2 },
    0.5,
    [["missing_trials", 1, 0.5]],
  ],
  ["no rule accounts for it", { a: [1, 0] }, {}, 0.7, [["unexplained", 0.5, 0.7]]],
  ["a word that is no reducer here", { a: [1, 0, 0] }, { reducer: "mode" }, 0, [["unexplained", 1 / 3, 0]]],
  ["the file rounds", { a: [1, 0, 0] }, {}, 0.333, []],
  ["the file rounds to two decimals", { a: [1, 0, 0] }, {}, 0.33, [["rounded", 1 / 3, 0.33]]],
  ["one decimal is no rounding", { a: [1, 0, 0] }, {}, 0.3, [["unexplained", 1 / 3, 0.3]]],
];

test.each(RULES)("%s", (_, tasks, rule, value, steps) => {
  const rows = rowsOf(tasks);
  const [opinion] = secondOpinion(rows, { files: [file(rows, [headline(value, rule)])] })!.files;
  const [found] = opinion!.headlines;
  const near = (x: number | null) => (x === null ? null : expect.closeTo(x, 12));
  expect(found!.reasons).toMatchObject(steps.map(([code, from, to]) => ({ code, from: near(from), to: near(to) })));
  expect(found!.agree).toBe(steps.length === 0);
});

test("ours is passAt of the rows of the file alone", () => {
  const [one, two, plain] = [rowsOf({ a: [1], b: [1], c: [0] }), rowsOf({ a: [0], d: [1, 0] }), rowsOf({ e: [1] })];
  const files = [
    file(one, [headline(2 / 3)], "one.json"),
    file(plain, undefined, "rows.jsonl"),
    file(two, [headline(0.25), headline(0.9, null)], "two.json"),
  ];
  const report = secondOpinion([...one, ...plain, ...two], { files })!;
  expect(report).toMatchObject({ nCompared: 2, nAgree: 2, nUnexplained: 0, nOtherFiles: 1 });
  const { passAt1, ci95 } = passAt(one);
  expect(report.files[0]).toMatchObject({
    path: "one.json",
    ours: { passAt1, ci95, nTasks: 3, nRows: 3, nRowsTotal: 3 },
    headlines: [{ ours: passAt1, ci95, difference: expect.closeTo(0, 12), agree: true, reasons: [] }],
  });
  expect(report.files[1]).toMatchObject({ path: "two.json", ours: { passAt1: 0.25, nTasks: 2, nRows: 3 } });
  // A number of something else is handed on, and nothing of ours stands beside it.
  expect(report.files[1]!.headlines[1]).toMatchObject({ value: 0.9, ours: null, agree: null, reasons: [] });
});

test("files that are nobody's report have no second opinion", () => {
  const rows = rowsOf({ a: [1] });
  expect(secondOpinion(rows, { files: [file(rows)] })).toBeNull();
  expect(secondOpinion([], { files: [] })).toBeNull();
  expect(formatSecondOpinion(null)).toBe("");
});

test("a report of other rows is refused", () => {
  const rows = rowsOf({ a: [1, 0] });
  expect(() => secondOpinion(rows.slice(1), { files: [file(rows, [])] })).toThrow(
    "The report is of 2 rows, and 1 were given.",
  );
});

test("a number in the file that its own rule does not give is one of other items", () => {
  const rows = rowsOf({ a: [1, 0] });
  const reasons = (more: Partial<ToolHeadline>) =>
    secondOpinion(rows, { files: [file(rows, [headline(0.9, {}, { fromItems: 0.5, ...more })])] })!.files[0]!
      .headlines[0]!.reasons;
  expect(reasons({})).toEqual([
    {
      ...{ code: "other_items", from: 0.5, to: 0.9 },
      text: "the number in the file is not what the tool's own rule gives for the items in the file (0.500 to 0.900)",
    },
  ]);
  expect(reasons({ unfinished: "2 of 9 samples were completed" })).toMatchObject([{ code: "unfinished_log" }]);
});

test("what the file has for a row is its number: before a threshold, out of range, or counted for a lost trial", () => {
  const rows: Row[] = [
    { scenario_id: "a", reward: 1, judge_meta: { rating: 0.75, threshold: 0.5 } },
    { scenario_id: "b", reward: null, judge_status: "invalid_result", judge_meta: { reward_out_of_range: 2 } },
    { scenario_id: "c", reward: null, judge_status: "error", judge_meta: { reward_counted: 0.25 } },
  ];
  const rule: Partial<HeadlineRule> = { mean: "rows", counts: "reward", lost: "counted" };
  const lost = { scenario_id: "d", reward: null, judge_status: "error" };
  const scored = secondOpinion([...rows, lost], {
    files: [file([...rows, lost], [headline(1, { ...rule, lost: "where_scored" })])],
  });
  expect(scored).toMatchObject({ nAgree: 1 });
  const all = secondOpinion([...rows, lost], { files: [file([...rows, lost], [headline(0.75, rule)])] })!.files[0]!
    .headlines[0]!;
  expect(all.reasons.at(-1)).toMatchObject({ code: "lost_trials", to: 0.75 });
  const [found] = secondOpinion(rows, { files: [file(rows, [headline(1, rule)])] })!.files[0]!.headlines;
  expect(found).toMatchObject({ ours: 1, agree: true });
  const [other] = secondOpinion(rows, { files: [file(rows, [headline(1.375, { ...rule, lost: "left_out" })])] })!
    .files[0]!.headlines;
  expect(other!.reasons).toMatchObject([
    {
      ...{ code: "partial_credit", from: 1, to: 1.375 },
      text: "rewards other than 0 and 1 are averaged by the tool as they are, 1 left out here, 1 cut to 0 or 1 here (1.000 to 1.375)",
    },
  ]);
});

test.each(["max", "at_least_2", "pass_at_2", "mode"])(
  "scores from 0 to 5 reduced by %s have a number, explained or not",
  (reducer) => {
    const rows = [5, 5].map(
      (score): Row => ({
        ...{
          scenario_id: "a",
          reward: null,
          judge_status: "invalid_result",
          judge_meta: { reward_out_of_range: score },
        },
      }),
    );
    const files = [file(rows, [headline(5, { counts: "reward", reducer })])];
    const [found] = secondOpinion(rows, { files })!.files[0]!.headlines;
    expect(found).toMatchObject({ ours: null, agree: false, reasons: [{ code: "partial_credit", from: null, to: 5 }] });
  },
);

/** A trial of tau-bench: passed, failed, lost to an error, or not in the file. */
const trials = fc.array(
  fc.array(fc.constantFrom("pass", "fail", "lost", "absent" as const), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 5 },
);

function tauBench(tasks: readonly (readonly string[])[]): SecondOpinion | null {
  const items = tasks.flatMap((outcomes, task_id) =>
    outcomes.flatMap((outcome, trial) => {
      const lost = { task_id, trial, reward: 0, info: { error: "timeout" }, traj: [] };
      const messages = [{ role: "user", content: `${task_id} ${trial}` }];
      const graded = { task_id, trial, reward: outcome === "pass" ? 1 : 0, info: {}, traj: messages };
      return outcome === "absent" ? [] : [outcome === "lost" ? lost : graded];
    }),
  );
  if (items.length === 0) return null;
  const { rows, report } = readRows(JSON.stringify(items), { format: "tau-bench", env: "retail" });
  return secondOpinion(rows, report);
}

test("reasons walk from our number to tau-bench's without a gap, whatever was lost and whatever is missing", () => {
  fc.assert(
    fc.property(trials, (tasks) => {
      const report = tauBench(tasks);
      expect(report?.nUnexplained ?? 0).toBe(0);
      for (const { headlines } of report?.files ?? []) {
        for (const { ours, value, agree, reasons } of headlines) {
          if (agree === true) expect(reasons).toEqual([]);
          else {
            const walk = [ours, ...reasons.map(({ to }) => to)];
            for (const [i, { from }] of reasons.entries()) expect(from ?? -1).toBeCloseTo(walk[i] ?? -1, 5);
            expect(walk.at(-1)).toBeCloseTo(value, 5);
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("row by row is the same as all at once, and the order of the rows of a file does not matter", () => {
  const rewards = fc.array(fc.constantFrom(1, 0, 0.5, null), { minLength: 1, maxLength: 6 });
  const rule = fc.record({
    mean: fc.constantFrom("rows", "tasks" as const),
    counts: fc.constantFrom("reward", "pass" as const),
    lost: fc.constantFrom("left_out", "counted", "where_scored" as const),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "__proto__"), rewards), rule, (tasks, wanted) => {
      const rows = rowsOf(tasks);
      const files = [file(rows, [headline(0.5, wanted)])];
      const whole = secondOpinion(rows, { files })!;
      const tally = new SecondOpinionTally();
      for (const row of rows) tally.add(row, files[0]!);
      expect(tally.report({ files })).toEqual(whole);
      const [found] = whole.files[0]!.headlines;
      const [turned] = secondOpinion([...rows].reverse(), { files })!.files[0]!.headlines;
      expect(turned!.reasons.map(({ code }) => code)).toEqual(found!.reasons.map(({ code }) => code));
    }),
    { numRuns: 40 },
  );
});
