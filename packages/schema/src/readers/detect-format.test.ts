import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { detectFormat } from "./detect-format.ts";
import { FORMATS, formatNames } from "./formats.ts";

const user = { role: "user", content: "hi" };
const reply = { role: "assistant", content: "hello" };

test.each([
  ["otlp", { resourceSpans: [] }],
  ["otlp", { traceId: "t", spanId: "s", attributes: [] }],
  ["openai-batch", { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: { messages: [user] } }],
  ["openai-batch", { id: "b", custom_id: "a", response: { status_code: 200, body: {} }, error: null }],
  ["anthropic-batch", { custom_id: "a", result: { type: "expired" } }],
  ["anthropic-batch", { custom_id: "a", params: { messages: [user] } }],
  ["typed", { task: { task_id: "t" }, rollout: { rollout_id: "r" } }],
  ["typed", { rollout_id: "r", policy: {}, ledger: [] }],
  ["typed", { task_id: "t", world: {}, axes: {} }],
  ["inspect-json", { version: 2, status: "success", eval: { task: "t", model: "m" }, samples: [] }],
  ["tau2", { simulations: [], info: {}, tasks: [] }],
  ["tau2", { info: { environment_info: {} }, tasks: [] }],
  ["tau-bench", { task_id: 0, reward: 1, info: {}, traj: [], trial: 0 }],
  ["promptfoo", { results: { results: [] } }],
  ["promptfoo", { promptIdx: 0, testIdx: 0, namedScores: {} }],
  ["lm-eval", { doc_id: 0, filtered_resps: [] }],
  ["verifiers", { example_id: 0, prompt: [user], completion: [reply], reward: 1 }],
  ["openai-preference", { input: { messages: [user] }, preferred_output: [reply], non_preferred_output: [reply] }],
  ["preference", { chosen: [user, reply], rejected: [user, reply] }],
  ["preference", { prompt: "p", chosen: "a", rejected: "b" }],
  ["kto", { prompt: "p", completion: "c", label: true }],
  ["stepwise", { prompt: "p", completions: ["a"], labels: [true] }],
  ["anthropic", { system: "s", messages: [user] }],
  ["anthropic", { messages: [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] }] }],
  ["anthropic", { type: "message", role: "assistant", content: [] }],
  ["anthropic", { messages: [user], tools: [{ name: "t", input_schema: {} }] }],
  ["anthropic", { request: { messages: [user] }, response: { type: "message", role: "assistant", content: [] } }],
  ["anthropic", { input: { messages: [user] }, output: { type: "error", error: { type: "api_error" } } }],
  ["openai-responses", { id: "r", object: "response", output: [] }],
  ["openai-responses", { input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }] }],
  ["openai-responses", { items: [{ type: "function_call", call_id: "c", name: "n", arguments: "{}" }] }],
  ["openai-completions", { request: { messages: [user] }, response: { choices: [{ index: 0, message: reply }] } }],
  ["openai-completions", { input: { messages: [user] }, output: { error: { message: "down" } } }],
  ["sharegpt", { conversations: [{ from: "human", value: "hi" }] }],
  ["sharegpt", { conversations: [user], chosen: "a", rejected: "b" }],
  ["ai-sdk", { messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }] }],
  ["ai-sdk", { system: "s", messages: [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "c" }] }] }],
  ["ai-sdk", { role: "user", parts: [{ type: "text", text: "hi" }] }],
  ["braintrust", { id: "e", input: "q", output: "a", expected: "x", scores: { Factuality: 1 } }],
  ["braintrust", { span_id: "s", root_span_id: "r", span_attributes: { type: "tool" }, input: {} }],
  ["langfuse", { trace: { id: "t", input: "q" }, observations: [] }],
  ["langfuse", { id: "t", timestamp: "2026", input: "q", output: "a", scores: [], observations: [] }],
  ["deepeval", { testCases: [{ input: "q", actualOutput: "a", metricsData: [] }], conversationalTestCases: [] }],
  ["deepeval", { input: "q", actualOutput: "a", metricsData: [], success: true }],
  ["mlflow", { info: { trace_id: "tr-1" }, data: { spans: [] } }],
  ["mlflow", { info: { request_id: "tr-1" }, data: { request: "{}", response: "", spans: [] } }],
  [
    "langfuse-tables",
    { id: "o", trace_id: "t", parent_observation_id: null, type: "GENERATION", input: "q", output: "a" },
  ],
  ["langfuse-tables", { id: "s", trace_id: "t", name: "helpful", value: 1, data_type: "NUMERIC" }],
  ["while", { schema_version: "1", prompt: "p" }],
  ["while", { scenario_id: "s", messages: [{ role: "user", content: [{ type: "tool_result" }] }] }],
  ["while", { steps: [], prompt: "p" }],
  ["while", { steps_json: "[]", prompt: "p" }],
  ["openai-chat", { messages: [user, reply] }],
  ["openai-chat", { messages_json: JSON.stringify([user, reply]) }],
  ["prompt-completion", { prompt: "p", completion: "c" }],
  ["prompt-only", { prompt: [user] }],
  ["loose", { question: "q", answer: "a" }],
  ["loose", { task_id: "t", prompt: "p", final_text: "f", reward: 1 }],
])("%s is what %j is", (name, record) => {
  expect(detectFormat(record)).toBe(name);
  expect(detectFormat([record, record])).toBe(name);
  expect(detectFormat(JSON.stringify(record))).toBe(name);
  expect(detectFormat({ rows: [record], note: 1 })).toBe(name);
});

test("an Inspect log in its archive is known by the archive's first entry", () => {
  const archive = new TextEncoder().encode(`PK\x03\x04${"\0".repeat(26)}header.json`);
  expect(detectFormat(archive)).toBe("inspect-eval");
});

test("records that disagree are refused, with the count of each kind", () => {
  const records = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? { messages: [user] } : { scenario_id: "s" }));
  try {
    detectFormat(records, "mixed.jsonl");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({ code: "format_ambiguous", place: { file: "mixed.jsonl" } });
    expect((error as SchemaError).what).toBe(
      "mixed.jsonl mixes formats: its first 20 records are 13 while, 7 openai-chat.",
    );
    for (const name of formatNames()) expect((error as SchemaError).fix).toContain(name);
  }
});

test("rows and loose rows may stand together, and are read as loose rows", () => {
  expect(
    detectFormat([
      { scenario_id: "s", prompt: "p" },
      { prompt: "p", final_text: "f" },
    ]),
  ).toBe("loose");
});

test("a table of scores is rows: a task and what came of it", () => {
  const scores = [
    { task_id: "a", reward: 1 },
    { task_id: 2, reward: null },
  ];
  expect(detectFormat(scores)).toBe("while");
  expect(detectFormat(scores.map((score) => ({ ...score, prompt: "p" })))).toBe("loose");
  expect(() => detectFormat([{ task_id: "a" }, { task_id: "b", reward: 1 }])).toThrow("holds no rows");
  expect(() => detectFormat([{ task_id: "", size: 3 }])).toThrow("holds no rows");
});

test.each([
  [{ a: 1, b: 2 }, 'the first has the keys "a", "b"'],
  [Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, i])), '"k5", 3 more'],
  [[], "no record that could be a row"],
])("%j holds no rows", (source, what) => {
  expect(() => detectFormat(source)).toThrow(what);
});

test("every format has a name of its own and says what it is", () => {
  expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
  for (const { title } of FORMATS) expect(title).not.toBe("");
});
