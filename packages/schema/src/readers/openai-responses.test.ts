import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const ask = { role: "user", content: [{ type: "input_text", text: "Where is order 4473?" }] };
const said = (text: string, rest: object = {}) => ({
  ...{ type: "message", id: "msg_1", status: "completed", role: "assistant" },
  ...{ content: [{ type: "output_text", text, annotations: [] }] },
  ...rest,
});
const call = (id: string, given: string, rest: object = {}) => ({
  ...{
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    name: "lookup_order",
    arguments: given,
    status: "completed",
  },
  ...rest,
});
const output = (id: string, result: unknown) => ({ type: "function_call_output", call_id: id, output: result });
const lookup = { type: "function", name: "lookup_order", description: "Finds.", parameters: {}, strict: true };

function response(items: object[], rest: object = {}) {
  return {
    ...{ id: "resp_1", object: "response", status: "completed", model: "gpt-x-2026", output: items, error: null },
    usage: { input_tokens: 40, output_tokens: 7, input_tokens_details: { cached_tokens: 32 }, total_tokens: 47 },
    ...rest,
  };
}

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

const request = (input: unknown, rest: object = {}) => ({ model: "gpt-x", instructions: "Be brief.", input, ...rest });

describe("what a record may be", () => {
  test.each([
    ["a request and its response", { request: request([ask]), response: response([said("It shipped.")]) }],
    ["a request that holds its response", { ...request([ask]), response: response([said("It shipped.")]) }],
    [
      "a response that holds its input",
      { ...response([said("It shipped.")], { instructions: "Be brief." }), input: [ask] },
    ],
    ["a text and items", { instructions: "Be brief.", input: "Where is order 4473?", output: [said("It shipped.")] }],
    ["one list of items", { instructions: "Be brief.", items: [ask, said("It shipped.")] }],
    ["rules among the items", { input: [{ role: "system", content: "Be brief." }, ask, said("It shipped.")] }],
  ])("%s", (_, record) => {
    const { rows, report } = read([record]);
    expect(report.format).toBe("openai-responses");
    expect(rows).toMatchObject([{ prompt: "Where is order 4473?", final_text: "It shipped." }]);
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
    expect(report.skipped.size).toBe(0);
  });

  test("a response alone says what was answered and not what was asked", () => {
    expect(read([response([said("It shipped.")])]).rows).toMatchObject([{ prompt: "", final_text: "It shipped." }]);
  });

  test("a record of one's own keeps its keys and its verdict", () => {
    const [row] = read([{ items: [ask, said("It shipped.")], reward: 1, task_id: "t", id: "x", metadata: {} }]).rows;
    expect(row).toMatchObject({ reward: 1, task_id: "t", id: "x", metadata: {} });
    expect(row).not.toHaveProperty("openai_responses");
  });
});

test("calls of one turn are one message, with the reasoning that led to them and the text that was said with them", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "look" }] };
  const [row] = read([
    {
      request: request([ask]),
      response: response([reasoning, said("One moment."), call("c1", '{"order_id":"4473"}'), call("c2", "{bad")]),
    },
  ]).rows;
  expect(row?.steps).toMatchObject([
    { tool: "lookup_order", arguments: { order_id: "4473" }, text: "One moment.", id: "c1" },
    { tool: "lookup_order", arguments: {}, raw_arguments: "{bad", id: "c2" },
  ]);
  expect(row?.messages).toHaveLength(2);
  expect(row?.messages?.[1]).toMatchObject({ id: "msg_1", reasoning: [reasoning] });
  expect(row?.finish_reason).toBe("tool_calls");
});

test("reasoning between two calls begins another turn", () => {
  const reasoning = { type: "reasoning", id: "rs_2", summary: [] };
  const [row] = read([{ input: [ask, call("c1", "{}"), reasoning, call("c2", "{}")] }]).rows;
  expect(row?.messages).toHaveLength(3);
  expect(row?.messages?.[1]).not.toHaveProperty("reasoning");
  expect(row?.messages?.[2]).toMatchObject({ reasoning: [reasoning], tool_calls: [{ id: "c2" }] });
});

test.each([
  ["an answer in text", output("c1", '{"status":"shipped"}'), { status: "shipped" }],
  ["an answer in blocks", output("c1", [{ type: "input_text", text: "shipped" }]), "shipped"],
])("%s is the result of its call", (_, answer, result) => {
  const [row] = read([{ input: [ask, call("c1", "{}"), answer, said("It shipped.")] }]).rows;
  expect(row?.steps).toMatchObject([{ tool: "lookup_order", result }, { text: "It shipped." }]);
});

test.each([
  [
    "custom_tool_call",
    [
      { type: "custom_tool_call", call_id: "c", name: "run", input: "print(1)" },
      { type: "custom_tool_call_output", call_id: "c", output: "1" },
    ],
    { tool: "run", arguments: { input: "print(1)" }, result: "1" },
  ],
  [
    "local_shell_call",
    [
      { type: "local_shell_call", id: "l", call_id: "c", action: { type: "exec", command: ["ls"] } },
      { type: "local_shell_call_output", id: "c", output: "a.txt" },
    ],
    { tool: "local_shell", arguments: { command: ["ls"] }, result: "a.txt" },
  ],
  [
    "web_search_call",
    [{ type: "web_search_call", id: "w", status: "completed", action: { type: "search", query: "rain" } }],
    { tool: "web_search", arguments: { query: "rain" }, result: { status: "completed" } },
  ],
  [
    "file_search_call",
    [{ type: "file_search_call", id: "f", queries: ["lid"], results: [{ file_id: "x", text: "lids" }] }],
    { tool: "file_search", arguments: { queries: ["lid"] }, result: [{ file_id: "x", text: "lids" }] },
  ],
  [
    "code_interpreter_call",
    [{ type: "code_interpreter_call", id: "i", code: "1+1", container_id: "k", outputs: null }],
    { tool: "code_interpreter", arguments: { code: "1+1" } },
  ],
  [
    "code_interpreter_call with its logs",
    [{ type: "code_interpreter_call", id: "i", code: "1+1", outputs: [{ type: "logs", logs: "2" }] }],
    { tool: "code_interpreter", result: [{ type: "logs", logs: "2" }] },
  ],
  [
    "mcp_call",
    [{ type: "mcp_call", id: "m", name: "tide", server_label: "sea", arguments: '{"at":1}', output: "low" }],
    { tool: "tide", arguments: { at: 1 }, result: "low" },
  ],
  [
    "mcp_call that failed",
    [{ type: "mcp_call", id: "m", name: "tide", server_label: "sea", arguments: "{}", output: null, error: "down" }],
    { tool: "tide", result: { error: "down", status: "error" } },
  ],
])("%s is a step", (_, items, step) => {
  const { rows } = read([{ input: [ask, ...items, said("Done.")] }]);
  expect(rows[0]?.steps).toMatchObject([step, { text: "Done." }]);
});

test("items that are no part of a conversation are kept beside it and named once", () => {
  const list = { type: "mcp_list_tools", id: "ml", server_label: "sea", tools: [] };
  const { rows, report } = read([{ request: request([list, ask]), response: response([list, said("Low.")]) }]);
  expect(rows[0]?.openai_responses).toMatchObject({
    requests: [{ other_items: [{ index: 0, item: list }], response: { other_items: [{ index: 0, item: list }] } }],
  });
  expect(report.warnings).toMatchObject([{ code: "item:mcp_list_tools" }]);
});

test("a refusal is what the agent said", () => {
  const refused = { ...said(""), content: [{ type: "refusal", refusal: "I cannot." }] };
  expect(read([{ input: [ask], output: [refused, call("c", "{}")] }]).rows[0]).toMatchObject({
    final_text: "I cannot.",
  });
});

test("what the pair says stands on the row, and all of it beside", () => {
  const { rows, report } = read([
    {
      request: request([ask], { temperature: 0.3, max_output_tokens: 90, tools: [lookup, { type: "web_search" }] }),
      response: response([said("It")], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
    },
  ]);
  expect(rows[0]).toMatchObject({
    model_version: "gpt-x-2026",
    sampling: { temperature: 0.3, max_tokens: 90 },
    finish_reason: "length",
    usage: { input_tokens: 40, output_tokens: 7 },
    tools: [{ type: "function", function: { name: "lookup_order", strict: true } }, { type: "web_search" }],
    openai_responses: { requests: [{ model: "gpt-x", response: { id: "resp_1", usage: { total_tokens: 47 } } }] },
  });
  expect(report.tools).toHaveLength(2);
});

test("a response that failed is ungraded, and no rollout is lost where it was sent again", () => {
  const error = { code: "server_error", message: "Try again." };
  const failed = { request: request([ask]), response: response([], { status: "failed", error }) };
  expect(read([failed]).rows).toMatchObject([{ reward: null, judge_status: "error", judge_meta: { error } }]);
  const { rows } = read([failed, { request: request([ask]), response: response([said("It shipped.")]) }]);
  expect(rows).toMatchObject([{ final_text: "It shipped." }]);
  expect(rows[0]).not.toHaveProperty("judge_status");
});

describe("requests that extend one another are one row", () => {
  const first = { request: request([ask]), response: response([call("c1", "{}")]) };
  const last = response([said("It shipped.")], { id: "resp_2" });

  test("where the conversation is sent again, with or without the ids of its items", () => {
    const sentBack = { type: "function_call", call_id: "c1", name: "lookup_order", arguments: "{}" };
    for (const item of [call("c1", "{}"), sentBack]) {
      const { rows, report } = read([
        first,
        { request: request([ask, item, output("c1", "shipped")]), response: last },
      ]);
      expect(rows).toMatchObject([{ steps: [{ result: "shipped" }, { text: "It shipped." }] }]);
      expect(rows[0]?.usage).toEqual({ input_tokens: 80, output_tokens: 14 });
      expect(report.skipped.get("extended_by_next_request")).toBe(1);
    }
  });

  test("where the request only names the response it goes on with", () => {
    const next = { request: request([output("c1", "shipped")], { previous_response_id: "resp_1" }), response: last };
    const { rows, report } = read([first, next]);
    expect(rows).toMatchObject([{ prompt: "Where is order 4473?", steps: [{ result: "shipped" }, {}] }]);
    expect(report.warnings).toEqual([]);
    expect(read([next]).report.warnings).toMatchObject([{ code: "missing_previous_response" }]);
  });
});

test.each([
  [{ input: [ask], output: 7 }, /line 2: output is neither a text nor a list of items/],
  [{ input: [] }, /line 2: The record has no items of a conversation/],
])("%j is refused with its line", (record, what) => {
  expect(() => read([{ input: [ask] }, record], { format: "openai-responses" })).toThrow(what);
});
