import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const metric = (name: string, score: number | null, rest: object = {}) => ({
  ...{ name, threshold: 0.5, score, success: score !== null && score >= 0.5, reason: `${name} says so`, error: null },
  ...{ strictMode: false, evaluationModel: "gpt-x", verboseLogs: "compared with: Shipped with UPS." },
  ...rest,
});
const one = (rest: object = {}) => ({
  ...{ name: "test_case_0", input: "Where is order 4473?", actualOutput: "It shipped.", success: true, order: 0 },
  ...{ expectedOutput: "Shipped with UPS.", metricsData: [metric("Correctness", 0.7), metric("Brevity", 1)] },
  ...rest,
});
const run = (...testCases: object[]) => ({ testCases, testPassed: 1, hyperparameters: { model: "gpt-y" } });

function read(document: object, options: object = {}) {
  return readRows(JSON.stringify(document), options);
}

test.each([
  ["a run", run(one())],
  ["a run as it is kept between commands", { testRunData: run(one()), testRunLink: null }],
  ["a case a record", [one()]],
])("%s: whether a case passed is its reward, what was expected is privileged", (_, document) => {
  const { rows, report } = read(document);
  expect(report.format).toBe("deepeval");
  expect(rows).toMatchObject([
    {
      ...{ prompt: "Where is order 4473?", final_text: "It shipped.", reward: 1, judge_name: "deepeval" },
      ...{ markers: { Correctness: 0.7, Brevity: 1 }, privileged: { reference: "Shipped with UPS." } },
      lineage: { importer: "deepeval", source: "eval" },
    },
  ]);
  expect(JSON.stringify({ ...rows[0], privileged: null })).not.toContain("Shipped with UPS");
});

test("cases of one input are rollouts of one task; the run says the model and goes to the report", () => {
  const { rows, report } = read(run(one(), one({ actualOutput: "Dunno.", success: false }), one({ input: "Else?" })));
  expect(rows.map(({ rollout_index: index, reward }) => [index, reward])).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(rows[0]).toMatchObject({ model_version: "gpt-y" });
  expect(report.meta).toMatchObject({ deepeval: { testPassed: 1 } });
});

describe("the verdict", () => {
  test("names the metrics that failed", () => {
    const metricsData = [metric("Correctness", 0.2), metric("Brevity", 1)];
    expect(read(run(one({ success: false, metricsData }))).rows[0]).toMatchObject({
      reward: 0,
      reason: "Correctness says so",
    });
  });

  test("is the score of the metric that rewardKey names, and a name that is none is refused", () => {
    expect(read(run(one()), { rewardKey: "Correctness" }).rows[0]).toMatchObject({
      reward: 0.7,
      judge_name: "Correctness",
    });
    expect(() => read(run(one()), { rewardKey: "correctness" })).toThrow(/no score correctness.* Brevity, Correctness/);
  });

  test("is none where a metric itself failed, but for one that is not asked", () => {
    const metricsData = [metric("Correctness", null, { error: "rate limit" }), metric("Brevity", 1)];
    const broken = run(one({ success: false, metricsData }), one());
    const { rows, report } = read(broken);
    expect(rows).toMatchObject([{ reward: null, judge_status: "error" }, { reward: 1 }]);
    expect(report.warnings).toMatchObject([{ code: "infrastructure_errors" }]);
    expect(read(broken, { keepErrors: false }).rows).toHaveLength(1);
    expect(read(broken, { rewardKey: "Brevity" }).rows[0]).toMatchObject({ reward: 1 });
    expect(read(broken, { rewardKey: "Correctness" }).rows[0]).toMatchObject({ reward: null });
  });

  test("does not hang on a flaky metric, which decides nothing in DeepEval either", () => {
    const metricsData = [metric("Correctness", 1), metric("Tone", null, { error: "rate limit", flaky: true })];
    expect(read(run(one({ metricsData }))).rows[0]).toMatchObject({ reward: 1 });
  });

  test("outside 0 to 1 is none without a scale", () => {
    const graded = run(one({ metricsData: [metric("Stars", 4)] }));
    expect(read(graded, { rewardKey: "Stars" }).rows[0]).toMatchObject({
      reward: null,
      judge_status: "invalid_result",
    });
    expect(read(graded, { rewardKey: "Stars", scale: [0, 5] }).rows[0]).toMatchObject({ reward: 0.8 });
  });
});

test("tools that were called are steps, with their answer where they have one", () => {
  const toolsCalled = [
    { name: "lookup_order", inputParameters: { order_id: "4473" }, output: { status: "shipped" }, reasoning: "look" },
    { name: "notify", output: null },
  ];
  const [row] = read(run(one({ toolsCalled }))).rows;
  expect(row?.steps).toMatchObject([
    { tool: "lookup_order", arguments: { order_id: "4473" }, result: { status: "shipped" } },
    { tool: "notify", arguments: {} },
    { text: "It shipped." },
  ]);
  expect(row?.steps?.[1]).not.toHaveProperty("result");
});

test("a conversation is its turns, and what the user was told to play is hidden", () => {
  const turns = [
    { role: "user", content: "Where is it?", order: 0 },
    { role: "assistant", content: "It shipped.", order: 1, toolsCalled: [{ name: "lookup", output: "ok" }] },
  ];
  const { input: _, actualOutput: __, expectedOutput: ___, ...rest } = one({ turns, scenario: "a lost order" });
  const document = { testCases: [], conversationalTestCases: [{ ...rest, expectedOutcome: "Finds it." }] };
  const { rows } = read(document);
  expect(rows).toMatchObject([
    {
      ...{ prompt: "Where is it?", final_text: "It shipped.", reward: 1 },
      steps: [{ tool: "lookup", result: "ok" }, { text: "It shipped." }],
      privileged: { reference: "Finds it.", hidden_state: { scenario: "a lost order" } },
    },
  ]);
  expect(() => read({ conversationalTestCases: [{ ...rest, turns: [{}] }] })).toThrow(/turns is no list of turns/);
});

test("a case that is none is refused, and the others can still be read", () => {
  expect(() => read(run(one(), { input: "x" }))).toThrow(/test case 1: It has no metricsData/);
  expect(read(run(one(), { input: "x" }), { onBadRow: "skip" }).rows).toHaveLength(1);
});
