import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const text = (said: string, rest: object = {}) => ({ type: "text", text: said, ...rest });
const user = (said: string) => ({ id: "u", role: "user", parts: [text(said)] });
const ask = user("Where is order 4473?");
const step = { type: "step-start" };

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

function chat(...parts: object[]) {
  return [{ id: "c1", messages: [ask, { id: "a", role: "assistant", metadata: { took: 3 }, parts }] }];
}

const given = { toolCallId: "t1", input: { order_id: "4473" } };
const v4 = { toolCallId: "t1", toolName: "lookup_order", args: { order_id: "4473" } };

describe("a call and its answer, in every spelling", () => {
  const shipped = { status: "shipped" };
  test.each([
    ["v5", { type: "tool-lookup_order", state: "output-available", ...given, output: shipped }, shipped],
    [
      "v5, a list",
      { type: "tool-lookup_order", state: "output-available", ...given, output: [{ type: "a" }] },
      [{ type: "a" }],
    ],
    ["v5, a number", { type: "tool-lookup_order", state: "output-available", ...given, output: 7 }, "7"],
    [
      "v5, a tool found at run time",
      { type: "dynamic-tool", toolName: "lookup_order", state: "output-available", ...given, output: "ok" },
      "ok",
    ],
    [
      "v5, failed",
      { type: "tool-lookup_order", state: "output-error", ...given, errorText: "down" },
      { error: "down", status: "error" },
    ],
    ["v5, not answered", { type: "tool-lookup_order", state: "input-available", ...given }, undefined],
    ["v4", { type: "tool-invocation", toolInvocation: { state: "result", step: 0, ...v4, result: shipped } }, shipped],
    ["v4, not answered", { type: "tool-invocation", toolInvocation: { state: "call", ...v4 } }, undefined],
  ])("UI part: %s", (_, part, result) => {
    const { rows, report } = read(chat(step, text("Let me look."), part, step, text("It shipped.")));
    expect(report.format).toBe("ai-sdk");
    const [call, said] = rows[0]!.steps!;
    expect(call).toMatchObject({
      tool: "lookup_order",
      arguments: { order_id: "4473" },
      text: "Let me look.",
      id: "t1",
    });
    expect(call?.result).toEqual(result);
    expect(said).toEqual({ text: "It shipped." });
    expect(rows[0]).toMatchObject({ prompt: "Where is order 4473?", final_text: "It shipped.", id: "c1" });
  });

  test.each([
    ["v5 text", { output: { type: "text", value: "shipped" } }, "shipped"],
    ["v5 json", { output: { type: "json", value: shipped } }, shipped],
    ["v5 json, a list", { output: { type: "json", value: [1] } }, [1]],
    ["v5 error", { output: { type: "error-text", value: "down" } }, { error: "down", status: "error" }],
    ["v5 content", { output: { type: "content", value: [text("shipped")] } }, "shipped"],
    ["v4", { result: shipped }, shipped],
    ["v4 error", { result: "down", isError: true }, { error: "down", status: "error" }],
  ])("message for the model: %s", (name, answer, result) => {
    const asked = name.startsWith("v4") ? { args: given.input } : { input: given.input };
    const call = { type: "tool-call", toolCallId: "t1", toolName: "lookup_order", ...asked };
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Where is order 4473?" },
      { role: "assistant", content: [{ type: "reasoning", text: "hm" }, text("Let me look."), call] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "t1", toolName: "lookup_order", ...answer }] },
      { role: "assistant", content: [text("It shipped.")] },
    ];
    const { rows, report } = read([{ messages }]);
    expect(rows[0]?.steps).toEqual([
      { tool: "lookup_order", arguments: { order_id: "4473" }, text: "Let me look.", id: "t1", result },
      { text: "It shipped." },
    ]);
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  });

  test("tool invocations of a message without parts", () => {
    const toolInvocations = [{ state: "result", ...v4, result: "ok" }];
    const [row] = read([{ messages: [ask, { role: "assistant", content: "Look.", toolInvocations }] }]).rows;
    expect(row?.steps).toMatchObject([{ tool: "lookup_order", text: "Look.", result: "ok" }]);
  });
});

test("calls of one step are one message, and text behind a call is a turn of its own", () => {
  const part = (id: string) => ({ type: "tool-a", toolCallId: id, state: "output-available", input: {}, output: id });
  const [row] = read(chat(step, part("1"), part("2"), text("Done."))).rows;
  expect(row?.messages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
  expect(row?.steps).toMatchObject([{ result: "1" }, { result: "2" }, { text: "Done." }]);
});

test("what else a message and its parts say stays in the messages", () => {
  const file = { type: "file", mediaType: "image/png", url: "data:x" };
  const part = {
    type: "tool-a",
    toolCallId: "1",
    state: "output-available",
    input: {},
    output: {},
    providerExecuted: true,
  };
  const [row] = read(chat(step, text("x", { state: "done" }), file, part)).rows;
  expect(row?.messages?.[1]).toMatchObject({
    ...{ id: "a", metadata: { took: 3 }, content: [{ text: "x", state: "done" }, file] },
    tool_calls: [{ part: { state: "output-available", providerExecuted: true } }],
  });
});

test("version 4 says the text of its parts once more, and it is not said twice", () => {
  const message = { role: "assistant", content: "It shipped.", parts: [text("It shipped.")] };
  const [row] = read([{ messages: [ask, message] }]).rows;
  expect(row?.messages?.[1]).toEqual({ role: "assistant", content: [text("It shipped.")] });
  const other = read([{ messages: [ask, { ...message, content: "Other." }] }]).rows[0];
  expect(other?.messages?.[1]).toMatchObject({ content_text: "Other." });
});

describe("a file of messages", () => {
  const messages = [ask, { role: "assistant", parts: [text("It shipped.")] }, { role: "user", content: "Thanks." }];

  test("is one chat", () => {
    const { rows, report } = readRows(JSON.stringify(messages));
    expect(report).toMatchObject({ format: "ai-sdk", records: 3, rows: 1 });
    expect(rows[0]).toMatchObject({ prompt: "Where is order 4473?", final_text: "It shipped." });
    expect(rows[0]?.steps).toEqual([{ text: "It shipped." }, { user: "Thanks." }]);
  });

  test("or one for each chatId that follows another", () => {
    const { rows } = read(["a", "b"].flatMap((chatId) => messages.map((message) => ({ ...message, chatId }))));
    expect(rows.map(({ chatId, rollout_index: index }) => [chatId, index])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
  });
});

test.each([
  ["by name", { lookup_order: { description: "Finds.", inputSchema: { type: "object" } } }],
  ["as a list", [{ type: "function", name: "lookup_order", description: "Finds.", parameters: { type: "object" } }]],
])("tools %s are function schemas", (_, tools) => {
  const [row] = read([{ ...chat(text("x"))[0], tools }]).rows;
  expect(row?.tools).toEqual([
    { type: "function", function: { name: "lookup_order", description: "Finds.", parameters: { type: "object" } } },
  ]);
});

test("a refused record is named by its own line", () => {
  const [good] = chat(text("x"));
  expect(() => read([good!, { ...good, reward: 4 }, good!])).toThrow(/line 2: reward is 4/);
  expect(() => read([good!, { messages: [{}] }], { format: "ai-sdk" })).toThrow(/line 2: messages is no list/);
});

test("how the chat ended is its finish reason, in the words of the row", () => {
  expect(read([{ ...chat(text("x"))[0], finishReason: "tool-calls" }]).rows[0]?.finish_reason).toBe("tool_calls");
  expect(read([{ ...chat(text("x"))[0], finishReason: "length" }]).rows[0]?.finish_reason).toBe("length");
});
