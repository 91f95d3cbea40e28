import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const result = (rest: object = {}) => ({
  ...{ id: "e1", input: "Where is order 4473?", output: "It shipped.", expected: "Shipped with UPS." },
  ...{ scores: { Factuality: 0.6 }, metadata: { model: "gpt-x" }, tags: ["shop"] },
  ...rest,
});
const span = (id: string, type: string, name: string, rest: object = {}) => ({
  ...{ id, span_id: id, root_span_id: "r1", is_root: false, span_parents: ["r1"], span_attributes: { type, name } },
  ...{ input: null, output: null, expected: null, scores: {}, metrics: {} },
  ...rest,
});
const root = result({
  span_id: "r1",
  root_span_id: "r1",
  is_root: true,
  span_attributes: { type: "eval", name: "eval" },
});

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test("a result is a row; what it was expected to say is privileged, its one score is the reward", () => {
  const { rows, report } = read([
    result(),
    result({ id: "e2", scores: { Factuality: 1 } }),
    result({ id: "e3", input: "Else?" }),
  ]);
  expect(report.format).toBe("braintrust");
  expect(rows.map(({ scenario_id, rollout_index }) => [scenario_id, rollout_index])).toEqual([
    [rows[0]!.scenario_id, 0],
    [rows[0]!.scenario_id, 1],
    [rows[2]!.scenario_id, 0],
  ]);
  expect(rows[0]).toMatchObject({
    ...{ rollout_id: "e1", prompt: "Where is order 4473?", final_text: "It shipped.", reward: 0.6 },
    ...{ judge_name: "Factuality", markers: { Factuality: 0.6 }, model_version: "gpt-x", tags: ["shop"] },
    ...{ privileged: { reference: "Shipped with UPS." }, lineage: { importer: "braintrust", source: "eval" } },
  });
  expect(JSON.stringify({ ...rows[0], privileged: null })).not.toContain("UPS");
});

describe("which score is the verdict", () => {
  const two = result({ scores: { Factuality: 1, Levenshtein: 0.25 } });

  test("is never picked in silence", () => {
    expect(() => read([two])).toThrow(/2 scores .*: Factuality, Levenshtein\. Pass rewardKey/);
    // Nor where each row has one, but not the same.
    expect(() => read([result(), result({ id: "e2", scores: { Other: 1 } })])).toThrow(/Factuality, Other/);
  });

  test.each([
    ["Levenshtein", 0.25],
    [["Missing", "Factuality"], 1],
  ])("is the one that rewardKey %j names, and all of them are markers", (rewardKey, reward) => {
    const { rows } = read([two], { rewardKey });
    expect(rows).toMatchObject([{ reward, markers: { Factuality: 1, Levenshtein: 0.25 } }]);
  });

  test("a name that no row has is refused, and the names there are are listed", () => {
    expect(() => read([two], { rewardKey: "factuality" })).toThrow(/no score factuality.* Factuality, Levenshtein/);
  });

  test.each([
    ["a scorer that came to nothing", { Factuality: null }, { reward: null }],
    ["a verdict in words", { Factuality: true }, { reward: 1 }],
    ["a score on another scale", { Factuality: 7 }, { reward: null, judge_status: "invalid_result" }],
    ["no scores", {}, { reward: null }],
  ])("%s", (_, scores, wanted) => {
    const [row] = read([result({ scores })]).rows;
    expect(row).toMatchObject(wanted);
  });

  test("a scale maps them", () => {
    const { rows } = read([result({ scores: { Factuality: 7 } })], { scale: [0, 10] });
    expect(rows).toMatchObject([{ reward: 0.7, judge_meta: { rating: 7 }, markers: { Factuality: 7 } }]);
  });
});

test("a task that raised is ungraded, whatever it was scored, and counted", () => {
  const { rows, report } = read([
    result({ scores: { Factuality: 1 } }),
    result({ id: "e2", error: "Timeout", scores: { Factuality: 0 } }),
  ]);
  expect(rows[1]).toMatchObject({ reward: null, judge_status: "error", judge_meta: { error: "Timeout" } });
  expect(report.warnings).toMatchObject([{ code: "infrastructure_errors" }]);
  expect(read([result({ error: "x" })], { keepErrors: false }).report.skipped.get("infrastructure_error")).toBe(1);
});

describe("spans, in any order", () => {
  const late = span("t2", "tool", "get_carrier", { output: ["UPS"], metrics: { start: 3 } });
  const early = span("t1", "tool", "lookup_order", {
    input: { order_id: "4473" },
    output: { ok: 1 },
    metrics: { start: 2 },
  });
  const failed = span("t3", "tool", "refund", { error: "down", metrics: { start: 4 } });
  const scorer = span("s1", "score", "Factuality", {
    ...{ input: { expected: "Shipped with UPS." }, metadata: { rationale: "half of it" }, metrics: { start: 9 } },
  });

  test("of tools are steps; those of scorers are privileged and give the reason", () => {
    const { rows } = read([scorer, late, root, failed, early]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.steps).toMatchObject([
      { tool: "lookup_order", arguments: { order_id: "4473" }, result: { ok: 1 } },
      { tool: "get_carrier", result: ["UPS"] },
      { tool: "refund", result: { error: "down", status: "error" } },
      { text: "It shipped." },
    ]);
    expect(rows[0]).toMatchObject({ reason: "half of it", privileged: { scorers: [scorer] }, reward: 0.6 });
    expect(JSON.stringify({ ...rows[0], privileged: null })).not.toContain("Shipped with UPS");
  });

  test("of the model give the conversation, where tools answered in it", () => {
    const messages = [
      { role: "user", content: "Where is order 4473?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "a", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "ok" },
    ];
    const output = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "It shipped." } }];
    const llm = span("m1", "llm", "chat", {
      input: messages,
      output,
      metadata: { model: "gpt-y" },
      metrics: { start: 5 },
    });
    const { rows } = read([root, early, llm]);
    expect(rows[0]?.steps).toMatchObject([{ tool: "a", result: "ok" }, { text: "It shipped." }]);
    expect(rows[0]?.messages).toHaveLength(4);
  });

  test("of any kind may carry the answer, and it is privileged there too", () => {
    const task = span("k1", "task", "task", { expected: "Shipped with UPS.", output: "It shipped." });
    const [row] = read([root, task]).rows;
    expect(row?.privileged).toMatchObject({ spans: [{ span_id: "k1", expected: "Shipped with UPS." }] });
    expect(row?.braintrust).toMatchObject({ spans: [{ span_id: "k1", output: "It shipped." }] });
    expect(JSON.stringify({ ...row, privileged: null })).not.toContain("Shipped with UPS");
  });

  test("without their root are counted", () => {
    const { rows, report } = read([root, span("x", "tool", "a", { root_span_id: "r9" })]);
    expect(rows).toHaveLength(1);
    expect(report.skipped).toEqual(new Map([["span_without_root", 1]]));
  });
});

test.each([
  ["messages", [{ role: "user", content: "Hi?" }], "Hi?"],
  ["an object with messages", { messages: [{ role: "user", content: "Hi?" }] }, "Hi?"],
  ["an object with one text", { question: "Hi?" }, "Hi?"],
  ["any other object", { a: 1, b: 2 }, '{"a": 1, "b": 2}'],
])("an input of %s", (_, input, prompt) => {
  expect(read([result({ input })]).rows[0]).toMatchObject({ prompt, final_text: "It shipped." });
});

test("a score may be called __proto__", () => {
  const line = JSON.stringify(result()).replace('"Factuality"', '"__proto__"');
  const [row] = readRows(line).rows;
  expect(row).toMatchObject({ reward: 0.6, judge_name: "__proto__" });
  expect(JSON.stringify(row?.markers)).toBe('{"__proto__":0.6}');
});
