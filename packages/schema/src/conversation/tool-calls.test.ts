import { describe, expect, test } from "vitest";
import { toolCalls } from "./tool-calls.ts";

const ARGUMENTS = { order_id: "A1" };
const TEXT = '{"order_id":"A1"}';
const asCalls = (call: unknown) => ({ role: "assistant", content: "", tool_calls: [call] });

describe("one reading for every spelling", () => {
  test.each([
    ["flat", asCalls({ name: "get_order", arguments: ARGUMENTS })],
    ["flat with text", asCalls({ name: "get_order", arguments: TEXT })],
    ["OpenAI, text", asCalls({ id: "c", type: "function", function: { name: "get_order", arguments: TEXT } })],
    ["OpenAI, object", asCalls({ id: "c", type: "function", function: { name: "get_order", arguments: ARGUMENTS } })],
    ["Inspect", asCalls({ id: "c", function: "get_order", arguments: ARGUMENTS })],
    ["verifiers", asCalls(JSON.stringify({ id: "c", name: "get_order", arguments: TEXT }))],
    [
      "the whole list as text",
      { role: "assistant", tool_calls: JSON.stringify([{ name: "get_order", arguments: ARGUMENTS }]) },
    ],
    ["Anthropic", { role: "assistant", content: [{ type: "tool_use", id: "c", name: "get_order", input: ARGUMENTS }] }],
    ["function_call", { role: "assistant", content: null, function_call: { name: "get_order", arguments: TEXT } }],
  ])("%s", (_spelling, message) => {
    const [call, ...rest] = toolCalls(message);
    expect(rest).toEqual([]);
    expect(call).toMatchObject({ name: "get_order", arguments: ARGUMENTS });
    expect(call).not.toHaveProperty("parseError");
  });
});

test.each([null, undefined, "", "  "])("arguments %j are none", (given) => {
  expect(toolCalls(asCalls({ name: "list_orders", arguments: given }))).toEqual([
    { name: "list_orders", arguments: {} },
  ]);
});

test.each([
  ["{order_id: A1}", "{order_id: A1}", "not JSON"],
  ["[1, 2]", "[1, 2]", "not an object"],
  ["5", "5", "not an object"],
  ['"{\\"order_id\\": \\"A1\\"}"', '"{\\"order_id\\": \\"A1\\"}"', "not an object"],
  [[1, 2], "[1, 2]", "not an object"],
  [5, "5", "not an object"],
])("arguments %j are kept as text and named, not turned into {} in silence", (given, raw, why) => {
  const [call] = toolCalls(asCalls({ name: "get_order", arguments: given }));
  expect(call).toMatchObject({ name: "get_order", arguments: {}, raw });
  expect(call?.parseError).toContain(why);
});

test.each([["not json"], [7], [null], [{ arguments: {} }]])("a call that is %j stays in the list", (item) => {
  const [call, ...rest] = toolCalls(asCalls(item));
  expect(rest).toEqual([]);
  expect(call?.name).toBe("");
  expect(call?.parseError).toBeDefined();
});

test("blocks come before tool_calls, and those before function_call", () => {
  const message = {
    role: "assistant",
    content: [
      { type: "text", text: "x" },
      { type: "tool_use", id: "1", name: "a", input: {} },
    ],
    tool_calls: [{ name: "b" }, { name: "c" }],
    function_call: { name: "d" },
  };
  expect(toolCalls(message).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
});

test("a message without calls has none", () => {
  expect(toolCalls({ role: "assistant", content: "hi", tool_calls: null })).toEqual([]);
  expect(toolCalls({ role: "assistant", content: [{ type: "text", text: "hi" }], tool_calls: [] })).toEqual([]);
});

test("an argument named __proto__ is an argument", () => {
  const [call] = toolCalls(asCalls({ name: "f", arguments: '{"__proto__": {"a": 1}}' }));
  expect(Object.keys(call!.arguments)).toEqual(["__proto__"]);
});
