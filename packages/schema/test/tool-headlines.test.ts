import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readRowFiles } from "../src/files.ts";
import { type ReadOptions, readRows, type ToolHeadline } from "../src/index.ts";

function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

async function headlinesOf(name: string, options: ReadOptions = {}): Promise<ToolHeadline[] | undefined> {
  const { report } = await readRowFiles([fixture(name)], options);
  return report.files[0]!.toolHeadlines;
}

type Shown = readonly [
  name: string,
  value: number,
  source: "file" | "items",
  fromItems: number | null,
  isRule: boolean,
];

function shown(headlines: readonly ToolHeadline[] | undefined): Shown[] | undefined {
  return headlines?.map(({ name, value, source, fromItems, rule }) => [name, value, source, fromItems, rule !== null]);
}

/** Each tool's number of its fixture, worked out by hand from the items in the file. */
const FILES: readonly (readonly [file: string, options: ReadOptions, headlines: readonly Shown[]])[] = [
  [
    "tau2/results.json",
    {},
    [
      ["average reward", 0.5, "items", 0.5, true],
      ["pass^1", 0.5, "items", 0.5, true],
      ["pass^2", 0, "items", 0, true],
    ],
  ],
  ["inspect/2026-01-02T03-04-05_arith_t1.json", {}, [["accuracy (match)", 0.5, "file", 0.5, true]]],
  [
    "inspect/2026-01-02T03-04-05_arith_t1.json",
    { scorer: "style", scoreKey: "polite" },
    [["accuracy (match)", 0.5, "file", null, false]],
  ],
  ["lm-eval/samples_sums_2026-01-02T03-04-05.123456.jsonl", {}, [["exact_match,strict-match", 0.5, "file", 0.5, true]]],
  ["lm-eval/samples_choices_2026-01-02T03-04-05.jsonl", {}, [["acc,none", 1, "items", 1, true]]],
  [
    "verifiers/results.jsonl",
    {},
    [
      ["avg_reward", 0.833, "file", 2.5 / 3, true],
      ["avg_metrics.correct", 0.333, "file", null, false],
    ],
  ],
  [
    "verifiers/results.jsonl",
    { rewardKey: "correct" },
    [
      ["avg_reward", 0.833, "file", 2.5 / 3, false],
      ["avg_metrics.correct", 0.333, "file", null, true],
    ],
  ],
  ["promptfoo/results.json", {}, [["pass rate", 0.4, "file", 0.4, true]]],
  ["promptfoo/results.jsonl", {}, [["pass rate", 0.4, "items", 0.4, true]]],
  ["promptfoo/results.json", { rewardKey: "score" }, [["pass rate", 0.4, "file", 0.4, false]]],
  ["chat-logs/deepeval.jsonl", {}, [["pass rate", 1 / 3, "file", 1 / 3, true]]],
  ["chat-logs/mlflow.jsonl", {}, [["correctness/mean", 1, "items", 1, true]]],
  ["chat-logs/langfuse.jsonl", {}, [["average helpful", 1, "items", 1, true]]],
  ["chat-logs/braintrust.jsonl", {}, [["average Factuality", 0.6, "items", 0.6, true]]],
];

test.each(FILES)("the tool's number of %s, read with %j", async (file, options, expected) => {
  const found = shown(await headlinesOf(file, options));
  expect(found?.map(([name, , source, , isRule]) => [name, source, isRule])).toEqual(
    expected.map(([name, , source, , isRule]) => [name, source, isRule]),
  );
  for (const [i, [, value, , fromItems]] of expected.entries()) {
    expect(found![i]![1]).toBeCloseTo(value, 12);
    if (fromItems === null) expect(found![i]![3]).toBeNull();
    else expect(found![i]![3]).toBeCloseTo(fromItems, 12);
  }
});

test.each(["ai-sdk", "anthropic", "openai-completions", "openai-responses", "sharegpt"])(
  "%s is nobody's report",
  async (format) => {
    expect(await headlinesOf(`chat-logs/${format}.jsonl`)).toBeUndefined();
  },
);

/** Two tasks of tau-bench under three trial numbers; the second task lost one to an error and misses another. */
const ITEMS = [
  [0, 0, 1],
  [0, 1, 1],
  [0, 2, 0],
  [1, 0, 1],
  [1, 1, null],
].map(([task_id, trial, reward]) => {
  const messages = [
    { role: "system", content: "# Airline policy" },
    { role: "user", content: `${task_id} ${trial}` },
  ];
  if (reward === null) return { task_id, trial, reward: 0, info: { error: "timeout" }, traj: [] };
  return { task_id, trial, reward, info: {}, traj: messages };
});

test("tau-bench takes every task to have as many trials as there are trial numbers, and errors as failures", () => {
  const { report } = readRows(JSON.stringify(ITEMS));
  const headlines = report.files[0]!.toolHeadlines!;
  const values = Object.fromEntries(headlines.map(({ name, value }) => [name, value]));
  // pass^1: (2/3 + 1/3) / 2; pass^2: (C(2,2)/C(3,2) + 0) / 2; pass^3: 0.
  expect(values).toEqual({ "average reward": 3 / 5, "pass^1": 0.5, "pass^2": expect.closeTo(1 / 6, 12), "pass^3": 0 });
  expect(headlines.map(({ rule }) => rule)).toMatchObject([
    { mean: "rows", lost: "counted", trials: null },
    { mean: "tasks", counts: "pass", k: 1, trials: 3 },
    { k: 2, trials: 3 },
    { k: 3, trials: 3 },
  ]);
});

const LOG = {
  version: 2,
  eval: { eval_id: "e", run_id: "r", task: "arith", model: "m", scorers: [{ name: "match" }] },
  plan: {},
  samples: [
    [1, 1, "C"],
    [1, 2, "I"],
    [2, 1, "P"],
  ].map(([id, epoch, value]) => ({ id, epoch, input: "q", target: "", messages: [], scores: { match: { value } } })),
};

test("Inspect reduces epochs before it averages; other reducers are named and left to their word", () => {
  const score = (reducer: string | null, value: number) => ({
    ...{ name: "match", scorer: "match", reducer, scored_samples: 2, unscored_samples: 1 },
    metrics: { accuracy: { value }, stderr: { value: 0.25 } },
  });
  const results = { total_samples: 3, completed_samples: 3, scores: [score("mean", 0.5), score("max", 0.75)] };
  const { report } = readRows(JSON.stringify({ ...LOG, status: "success", results }));
  expect(report.files[0]!.toolHeadlines).toMatchObject([
    { name: "accuracy (match)", value: 0.5, fromItems: 0.5, stderr: 0.25, n: 2, of: 3, rule: { reducer: null } },
    { name: "accuracy (match, max)", value: 0.75, fromItems: null, rule: { reducer: "max" } },
  ]);
});

test("of the metrics of a scorer the log's own headline is taken", () => {
  const metrics = { accuracy: { value: 0.5 }, mean: { value: 0.25 } };
  const scores = [{ name: "match", scorer: "match", metrics }];
  const headline = { scorer: "match", score: "match", metric: "mean" };
  const { report } = readRows(JSON.stringify({ ...LOG, status: "success", results: { scores, headline } }));
  expect(report.files[0]!.toolHeadlines).toMatchObject([{ name: "mean (match)", value: 0.25 }]);
});

test("a trace of MLflow that was lost keeps the score that it was given all the same", () => {
  const trace = (state: string, value: boolean, request: string) => ({
    info: { trace_id: request, state, assessments: [{ assessment_name: "right", feedback: { value } }] },
    data: { request: `"${request}"`, ...(state === "OK" ? { response: '"yes"' } : {}), spans: [] },
  });
  const { rows, report } = readRows(JSON.stringify([trace("OK", true, "a"), trace("ERROR", false, "b")]));
  expect(rows[1]).toMatchObject({ reward: null, judge_status: "error", judge_meta: { reward_counted: 0 } });
  expect(report.files[0]!.toolHeadlines).toMatchObject([
    { name: "right/mean", value: 0.5, rule: { lost: "where_scored" } },
  ]);
});

test("a log that did not end says so with its counts, and without results it has no number", () => {
  const results = { total_samples: 10, completed_samples: 3, scores: [] };
  const scores = [{ name: "match", metrics: { accuracy: { value: 0.5 } } }];
  const { report } = readRows(JSON.stringify({ ...LOG, status: "cancelled", results: { ...results, scores } }));
  const unfinished = "the log's status is cancelled, with 3 of 10 samples completed";
  expect(report.files[0]!.toolHeadlines).toMatchObject([{ name: "accuracy (match)", unfinished }]);
  const started = readRows(JSON.stringify({ ...LOG, status: "started" }));
  expect(started.report.files[0]!.toolHeadlines).toEqual([]);
});

test("promptfoo has a rate for each pair of a model and a prompt, which is of a part of the rows", () => {
  const result = (provider: string, success: boolean) => ({
    ...{ promptIdx: 0, testIdx: 0, vars: {}, prompt: { raw: "hi" }, provider: { id: provider } },
    ...{ success, namedScores: {}, response: { output: "" } },
  });
  const prompts = ["a", "b"].map((provider) => ({
    ...{ provider, label: "hi", raw: "hi" },
    metrics: { testPassCount: provider === "a" ? 1 : 0, testFailCount: provider === "a" ? 0 : 1 },
  }));
  const stats = { successes: 1, failures: 1, errors: 0 };
  const results = { version: 3, prompts, stats, results: [result("a", true), result("b", false)] };
  const { report } = readRows(JSON.stringify({ evalId: "e", results, config: {} }));
  expect(shown(report.files[0]!.toolHeadlines)).toEqual([
    ["pass rate", 0.5, "file", 0.5, true],
    ["pass rate (a, hi)", 1, "file", null, false],
    ["pass rate (b, hi)", 0, "file", null, false],
  ]);
});

test("words in a number's place are no number of the tool", async () => {
  const { report } = readRows(
    JSON.stringify({
      ...LOG,
      status: "success",
      results: { scores: [null, { name: "match", metrics: { accuracy: "N/A" } }, 7] },
    }),
  );
  expect(report.files[0]!.toolHeadlines).toEqual([]);
});
