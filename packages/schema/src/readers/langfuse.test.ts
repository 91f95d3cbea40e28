import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const score = (name: string, value: unknown, rest: object = {}) => ({
  ...{ id: `s-${name}`, traceId: "t1", observationId: null, name, value, dataType: "NUMERIC", source: "EVAL" },
  ...{ comment: null },
  ...rest,
});
const trace = (rest: object = {}) => ({
  ...{ id: "t1", timestamp: "2026-01-02T03:04:05.000Z", name: "shop", input: "Where is order 4473?" },
  ...{ output: "It shipped.", sessionId: "s1", htmlPath: "/p/t1", observations: [], scores: [score("helpful", 0.5)] },
  ...rest,
});
const observation = (id: string, type: string, rest: object = {}) => ({
  ...{ id, traceId: "t1", type, name: id, startTime: `2026-01-02T03:04:0${id.at(-1)}.000Z`, level: "DEFAULT" },
  ...{ input: null, output: null, statusMessage: null },
  ...rest,
});

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test.each([
  ["the API", trace()],
  ["the page of a trace", (({ scores, observations, ...one }) => ({ trace: one, scores, observations }))(trace())],
  ["the table of traces", trace({ scores: { helpful: [0.5] }, bookmarked: false, observations: undefined })],
])("a trace from %s is a row with its one score", (_, record) => {
  const { rows, report } = read([record]);
  expect(report.format).toBe("langfuse");
  expect(rows).toMatchObject([
    {
      ...{ rollout_id: "t1", prompt: "Where is order 4473?", final_text: "It shipped.", rollout_index: 0 },
      ...{ reward: 0.5, judge_name: "helpful", markers: { helpful: 0.5 }, langfuse: { sessionId: "s1" } },
    },
  ]);
});

test("a list of traces, as the API pages them: one input is one task, and scores by id alone grade nothing", () => {
  const data = [
    trace({ scores: ["s1"] }),
    trace({ id: "t2", scores: ["s2"] }),
    trace({ id: "t3", input: "Else?", scores: [] }),
  ];
  const { rows, report } = readRows(JSON.stringify({ data, meta: { page: 1 } }));
  expect(rows.map(({ rollout_index, reward }) => [rollout_index, reward])).toEqual([
    [0, null],
    [1, null],
    [0, null],
  ]);
  expect(report.warnings).toMatchObject([{ code: "scores_without_values" }]);
});

describe("which score is the verdict", () => {
  const two = trace({ scores: [score("helpful", 1, { comment: "good", source: "ANNOTATION" }), score("toxic", 0)] });

  test("is never picked in silence, and rewardKey names it", () => {
    expect(() => read([two])).toThrow(/2 scores .*: helpful, toxic\. Pass rewardKey/);
    expect(read([two], { rewardKey: "helpful" }).rows).toMatchObject([
      { reward: 1, reason: "good", label_source: "annotation", markers: { helpful: 1, toxic: 0 } },
    ]);
    expect(() => read([two], { rewardKey: "helpfull" })).toThrow(/no score helpfull/);
  });

  test("is no category and no score of a single observation", () => {
    const scores = [
      score("tone", 0, { dataType: "CATEGORICAL", stringValue: "polite" }),
      score("latency", 0.1, { observationId: "o1" }),
      score("helpful", 1),
    ];
    const [row] = read([trace({ scores })]).rows;
    expect(row).toMatchObject({ reward: 1, markers: { helpful: 1 }, langfuse: { scores } });
    expect(row?.markers).not.toHaveProperty("tone");
  });

  test("is none where one score was given twice and differs", () => {
    const scores = [score("helpful", 1), score("helpful", 0)];
    const { rows, report } = read([trace({ scores })]);
    expect(rows[0]).toMatchObject({ reward: null, langfuse: { scores } });
    expect(report.warnings[0]).toMatchObject({ code: "scores_disagree", text: expect.stringContaining("1 and 0") });
    expect(read([trace({ scores: [score("helpful", 1), score("helpful", 1)] })]).rows[0]?.reward).toBe(1);
  });

  test("may lie outside 0 to 1: mapped by scale, ungraded without", () => {
    const record = trace({ scores: [score("stars", 4)] });
    expect(read([record]).rows[0]).toMatchObject({ reward: null, judge_status: "invalid_result" });
    expect(read([record], { scale: [0, 5] }).rows[0]).toMatchObject({ reward: 0.8, judge_meta: { rating: 4 } });
  });
});

describe("observations", () => {
  const lookup = observation("lookup_1", "TOOL", { input: { order_id: "4473" }, output: { status: "shipped" } });
  const refund = observation("refund_2", "TOOL", { level: "ERROR", statusMessage: "down" });
  const said = observation("chat_3", "GENERATION", {
    ...{
      model: "gpt-x",
      modelParameters: { temperature: 0.2, max_tokens: "90" },
      input: "Where?",
      output: "It shipped.",
    },
    ...{ usageDetails: { input: 30, output: 4, total: 34 } },
  });

  test("of tools are steps in the order of time; the last generation says the model", () => {
    const [row] = read([trace({ observations: [said, refund, lookup] })]).rows;
    expect(row?.steps).toMatchObject([
      { tool: "lookup_1", arguments: { order_id: "4473" }, result: { status: "shipped" } },
      { tool: "refund_2", result: { error: "down", status: "error" } },
      { text: "It shipped." },
    ]);
    expect(row).toMatchObject({
      ...{ model_version: "gpt-x", sampling: { temperature: 0.2 }, usage: { input_tokens: 30, output_tokens: 4 } },
    });
  });

  test("a trace that has no output and failed is ungraded, whatever it was scored", () => {
    const { rows, report } = read([trace({ output: null, observations: [refund] })]);
    expect(rows).toMatchObject([{ reward: null, judge_status: "error", judge_meta: { error: "down" } }]);
    expect(report.warnings).toMatchObject([{ code: "infrastructure_errors" }]);
    expect(read([trace({ observations: [refund] })]).rows[0]).toMatchObject({ reward: 0.5 });
  });
});

test("a chat in the input is the conversation, as JSON text too; the expected output is privileged", () => {
  const input = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Where is it?" },
  ];
  for (const given of [input, JSON.stringify(input)]) {
    const { rows, report } = read([trace({ input: given, expectedOutput: "Shipped." })]);
    expect(rows[0]).toMatchObject({
      prompt: "Where is it?",
      final_text: "It shipped.",
      privileged: { reference: "Shipped." },
    });
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  }
});
