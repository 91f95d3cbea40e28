import { describe, expect, test } from "vitest";
import type { Message } from "../row.ts";
import { readRows } from "./read-rows.ts";

const user = (content: unknown): Message => ({ role: "user", content });
const assistant = (content: unknown): Message => ({ role: "assistant", content });
const text = (said: string) => ({ type: "text", text: said });
const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown, rest: object = {}) => ({
  ...{ type: "tool_result", tool_use_id: id, content },
  ...rest,
});
const ask = user("Where is order 4473?");
const lookup = { name: "lookup_order", description: "Finds an order.", input_schema: { type: "object" } };

function request(messages: readonly Message[], rest: object = {}) {
  return { model: "claude-x", max_tokens: 512, system: "Be brief.", messages, tools: [lookup], ...rest };
}

function response(content: unknown[], rest: object = {}) {
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 3, cache_read_input_tokens: 100 };
  const said = { id: "msg_1", type: "message", role: "assistant", model: "claude-x-0101", content };
  return { ...said, stop_reason: "end_turn", stop_sequence: null, usage, ...rest };
}

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

const answered = { request: request([ask]), response: response([text("It shipped.")]) };

describe("what a record may be", () => {
  test.each([
    ["a request and its response", answered],
    ["the same as input and output", { input: answered.request, output: answered.response }],
    ["a request that holds its response", { ...answered.request, response: answered.response }],
    ["a line to train on", { system: "Be brief.", messages: [ask, assistant("It shipped.")], tools: [lookup] }],
  ])("%s", (_, record) => {
    const { rows, report } = read([record]);
    expect(report.format).toBe("anthropic");
    expect(rows).toMatchObject([
      {
        prompt: "Where is order 4473?",
        final_text: "It shipped.",
        steps: [{ text: "It shipped." }],
        tools: [
          {
            type: "function",
            function: { name: "lookup_order", description: "Finds an order.", parameters: { type: "object" } },
          },
        ],
      },
    ]);
    expect(rows[0]).not.toHaveProperty("reward");
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  });

  test("a request alone, and a response alone", () => {
    expect(read([request([ask])]).rows).toMatchObject([{ prompt: "Where is order 4473?", final_text: "", steps: [] }]);
    expect(read([response([text("It shipped.")])]).rows).toMatchObject([{ prompt: "", final_text: "It shipped." }]);
  });

  test("a line to train on keeps its keys, its verdict too, and is never part of the next", () => {
    const lines = [
      { system: "s", messages: [ask, assistant("It shipped.")], reward: 1, task_id: "t", top_p: "mine" },
      { system: "s", messages: [ask, assistant("It shipped."), user("When?"), assistant("Today.")], task_id: "t" },
    ];
    const { rows, report } = read(lines);
    expect(rows).toMatchObject([{ reward: 1, task_id: "t", top_p: "mine" }, { final_text: "Today." }]);
    expect(report.skipped.size).toBe(0);
  });
});

test("what the pair says of the model, the sampling, the end and the tokens stands on the row, and all of it beside", () => {
  const asked = request([ask], {
    temperature: 0.5,
    top_p: 0.9,
    metadata: { user_id: "u1" },
    tool_choice: { type: "any" },
  });
  const [row] = read([{ request: asked, response: answered.response, logged_at: "10:00" }]).rows;
  expect(row).toMatchObject({
    model_version: "claude-x-0101",
    sampling: { temperature: 0.5, max_tokens: 512, top_p: 0.9 },
    finish_reason: "stop",
    usage: { input_tokens: 113, output_tokens: 5 },
    logged_at: "10:00",
    lineage: { importer: "anthropic" },
  });
  const { messages: _, system: __, tools: ___, ...settings } = asked;
  const { content: ____, ...envelope } = answered.response;
  expect(row?.anthropic).toEqual({ requests: [{ ...settings, response: envelope }] });
});

test.each([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
  ["refusal", "refusal"],
  ["pause_turn", "pause_turn"],
])("stop_reason %s is finish_reason %s", (stop_reason, finish_reason) => {
  const [row] = read([{ ...answered, response: response([text("x")], { stop_reason }) }]).rows;
  expect(row?.finish_reason).toBe(finish_reason);
});

test("tool calls, answers and errors are steps; thinking and images stay in the messages", () => {
  const messages = [
    user([text("Refund order 9911."), { type: "image", source: { type: "url", url: "u" } }]),
    assistant([
      { type: "thinking", thinking: "hm", signature: "s" },
      text("Checking."),
      use("tu_1", "lookup_order", { order_id: "9911" }),
    ]),
    user([result("tu_1", [text("order service timed out")], { is_error: true })]),
    assistant([text("I could not reach the order service.")]),
  ];
  const [row] = read([{ messages }]).rows;
  expect(row).toMatchObject({
    prompt: "Refund order 9911.",
    steps: [
      {
        ...{ tool: "lookup_order", arguments: { order_id: "9911" }, text: "Checking.", id: "tu_1" },
        result: { error: "order service timed out", status: "error" },
      },
      { text: "I could not reach the order service." },
    ],
    messages,
  });
});

test("tools that run at the provider are calls with answers too, in the order in which they were said", () => {
  const found = [{ type: "web_search_result", url: "https://a.example", title: "A" }];
  const content = [
    text("Let me search."),
    { type: "server_tool_use", id: "st_1", name: "web_search", input: { query: "weather" } },
    { type: "web_search_tool_result", tool_use_id: "st_1", content: found },
    text("It rains."),
    { type: "mcp_tool_use", id: "mt_1", name: "tide", server_name: "sea", input: {} },
    { type: "mcp_tool_result", tool_use_id: "mt_1", is_error: false, content: [text("low")] },
    { type: "server_tool_use", id: "st_2", name: "web_fetch", input: { url: "u" } },
    {
      ...{ type: "web_fetch_tool_result", tool_use_id: "st_2" },
      content: { type: "web_fetch_tool_result_error", error_code: "unavailable" },
    },
    text("Low tide."),
  ];
  const [row] = read([{ request: request([user("Weather?")]), response: response(content) }]).rows;
  expect(row?.steps).toMatchObject([
    { tool: "web_search", arguments: { query: "weather" }, result: found, text: "Let me search." },
    { tool: "tide", text: "It rains.", result: "low" },
    { tool: "web_fetch", result: { error_code: "unavailable", status: "error" } },
    { text: "Low tide." },
  ]);
  expect(row?.final_text).toBe("Low tide.");
  expect(row?.messages?.map(({ role }) => role).join(" ")).toBe(
    "user assistant user assistant user assistant user assistant",
  );
});

test("a tool without a schema stays as it is; what a schema has no word for stands beside it", () => {
  const search = { type: "web_search_20250305", name: "web_search", max_uses: 2 };
  const cached = { ...lookup, type: "custom", cache_control: { type: "ephemeral" } };
  const [row] = read([request([ask], { tools: [search, cached] })]).rows;
  expect(row?.tools).toMatchObject([
    search,
    { type: "function", function: { name: "lookup_order" }, anthropic: { type: "custom", cache_control: {} } },
  ]);
});

test("answers to one context are rollouts of one task, wherever the cache hints stand", () => {
  const hinted = request([user([{ ...text("Where is order 4473?"), cache_control: { type: "ephemeral" } }])], {
    system: [{ ...text("Be brief."), cache_control: { type: "ephemeral" } }],
  });
  const plain = request([user([text("Where is order 4473?")])], { system: [text("Be brief.")] });
  const { rows } = read([
    { request: hinted, response: response([text("It shipped.")]) },
    { request: plain, response: response([text("Dunno.")]) },
    { request: request([user("Else?")]), response: response([text("No.")]) },
  ]);
  expect(rows.map(({ rollout_index: index }) => index)).toEqual([0, 1, 0]);
  expect(rows[0]!.task_id).toBe(rows[1]!.task_id);
  expect(rows[0]!.task_id).not.toBe(rows[2]!.task_id);
  expect(rows[0]!.system_messages).toEqual([{ role: "system", content: hinted.system }]);
});

describe("requests that extend one another", () => {
  const called = [text("Let me look."), use("tu_1", "lookup_order", { order_id: "4473" })];
  const thought = [{ type: "thinking", thinking: "hm", signature: "s" }, ...called];
  const second = [ask, assistant(called), user([result("tu_1", "shipped")])];
  const session = [
    { request: request([ask]), response: response(thought, { id: "msg_1", stop_reason: "tool_use" }) },
    { request: request(second), response: response([text("It shipped.")], { id: "msg_2", stop_reason: "max_tokens" }) },
  ];

  test("are one row: the longest, with the thinking that was not sent again and the tokens of all", () => {
    const { rows, report } = read(session);
    expect(rows).toMatchObject([
      {
        final_text: "It shipped.",
        steps: [{ tool: "lookup_order", result: "shipped" }, { text: "It shipped." }],
        finish_reason: "length",
        usage: { input_tokens: 226, output_tokens: 10 },
        anthropic: { requests: [{ response: { id: "msg_1" } }, { response: { id: "msg_2" } }] },
      },
    ]);
    expect(rows[0]?.messages?.[1]?.content).toEqual(thought);
    expect(report).toMatchObject({ records: 2, rows: 1, skipped: new Map([["extended_by_next_request", 1]]) });
  });

  test("also where only requests were logged, and where the cache hint moves on", () => {
    const hint = { cache_control: { type: "ephemeral" } };
    const { rows } = read([
      request([user([{ ...text("Where is order 4473?"), ...hint }])]),
      request([ask, assistant(called), user([{ ...result("tu_1", [text("shipped")]), ...hint }])]),
    ]);
    expect(rows).toMatchObject([{ steps: [{ tool: "lookup_order", result: "shipped" }] }]);
  });

  const other = { request: request(second), response: response([text("It shipped.")]) };
  test.each([
    ["the same request twice: two answers to one context", [answered, answered]],
    ["another answer than the one that was sent on", [answered, other]],
    ["other rules", [session[0], { ...other, request: request(second, { system: "Be kind." }) }]],
    ["another model", [session[0], { ...other, request: request(second, { model: "claude-y" }) }]],
    [
      "another session",
      [
        { ...session[0], session_id: "a" },
        { ...session[1], session_id: "b" },
      ],
    ],
    ["a verdict on each", session.map((pair) => ({ ...pair, reward: 1 }))],
    ["something between them", [session[0], { request: request([user("Else?")]) }, session[1]]],
  ])("but not with %s", (_, lines) => {
    const { rows, report } = read(lines as object[]);
    expect(rows).toHaveLength(lines.length);
    expect(report.skipped.size).toBe(0);
  });

  test("what a record or its request said that the last does not is kept", () => {
    const [row] = read([
      { ...session[0], request: request([ask], { tools: [] }), at: 1 },
      { ...session[1], at: 2 },
    ]).rows;
    expect(row).toMatchObject({ at: 2, anthropic: { requests: [{ tools: [], record: { at: 1 } }, {}] } });
    expect(row?.anthropic).not.toHaveProperty("requests[1].record");
  });
});

describe("a request that failed", () => {
  const error = { type: "overloaded_error", message: "Overloaded" };
  const failed = { request: request([ask]), response: { type: "error", error } };

  test("is ungraded and never a reward of 0", () => {
    expect(read([failed]).rows).toMatchObject([{ reward: null, judge_status: "error", judge_meta: { error } }]);
    const { rows, report } = read([failed], { keepErrors: false });
    expect(rows).toEqual([]);
    expect(report.skipped).toEqual(new Map([["infrastructure_error", 1]]));
  });

  test("and was sent again is no lost rollout", () => {
    const { rows } = read([failed, answered]);
    expect(rows).toMatchObject([{ final_text: "It shipped.", anthropic: { requests: [{ response: { error } }, {}] } }]);
    expect(rows[0]).not.toHaveProperty("judge_status");
  });
});

test("a refused record is named by its own line, though rows wait for the record after theirs", () => {
  const graded = (reward: number) => ({ system: "s", messages: [ask, assistant("x")], reward });
  expect(() => read([graded(1), graded(3), graded(0)])).toThrow(/line 2: reward is 3/);
  expect(() => read([graded(1), graded(0), graded(3)])).toThrow(/line 3: reward is 3/);
  expect(() => read([graded(1), graded(30), graded(2)], { scale: [0, 5] })).toThrow(/line 2: reward is 30/);
  expect(() => read([graded(1), { system: "s", messages: [{}] }])).toThrow(/line 2: messages is no list/);
});
