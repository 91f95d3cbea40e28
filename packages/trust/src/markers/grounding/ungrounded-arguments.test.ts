import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { GroundingOptions } from "./ground-arguments.ts";
import { toolCallsOf } from "./tool-calls-of.ts";
import { argumentGrounding, argumentSources, markGrounding, ungroundedArguments } from "./ungrounded-arguments.ts";

const CARDS: Row = {
  prompt: "Cancel order ORD 4017 for me",
  steps: [
    {
      tool: "get_order",
      arguments: { order_id: "ORD-4017" },
      result: { status: "ok", customer: { email: "ana@x.io" } },
    },
    { tool: "email", arguments: { to: ["ana@x.io", "bob@x.io"], note: "hello there", n: 5, cc: "ab" }, result: null },
  ],
};
const SAID_FIRST: Row = {
  prompt: "Refund my order",
  messages: [
    { role: "user", content: "Refund my order" },
    {
      role: "assistant",
      content: "Is it order 8812?",
      tool_calls: [{ id: "c1", type: "function", function: { name: "refund", arguments: '{"order_id": "8812"}' } }],
    },
    { role: "tool", tool_call_id: "c1", content: '{"ok": true}' },
  ],
};
const LATER_TURN: Row = {
  prompt: "Where is it?",
  steps: [{ tool: "lookup", arguments: { order_id: "A-77", region: "eu-west" }, result: null }],
  messages: [
    { role: "user", content: "Where is it?" },
    { role: "assistant", content: "Which one?" },
    { role: "user", content: "order a77" },
  ],
};

test.each<[why: string, row: Row, options: GroundingOptions, keys: string[]]>([
  ["an address from nowhere", CARDS, { ignoreKeys: ["note"] }, ["to.1"]],
  ["the agent said the number first", SAID_FIRST, {}, ["order_id"]],
  ["no calls", { prompt: "hi", final_text: "Hello!" }, {}, []],
  ["a user's turn beside steps, and an allowed value", LATER_TURN, { allow: ["EU-West"] }, []],
  ["the same without allow", LATER_TURN, {}, ["region"]],
])("%s: by both rules", (_, row, options, keys) => {
  for (const rules of ["v1", "v2"] as const) {
    expect(ungroundedArguments(row, { ...options, rules }).map(({ key }) => key)).toEqual(keys);
    expect(argumentGrounding(row, { ...options, rules })).toBe(keys.length === 0 ? 1 : 0);
  }
});

const step = (prompt: string, given: object, tool = "act"): Row => ({ prompt, steps: [{ tool, arguments: given }] });

test.each<[why: string, row: Row, v1: number, v2: number]>([
  ["a word inside another", step("the category", { item: "cat" }), 0, 1],
  ["digits inside others", step("order 1000456", { id: "100" }), 0, 1],
  ["a plural of what was said", step("two blue shirts", { item: "shirt" }), 0, 0],
  ["an invented number", step("refund it", { order_id: 88213 }), 0, 1],
  ["a short number under an id", step("refund it", { order_id: 7 }), 0, 1],
  ["a short number that is a count", step("refund it", { quantity: 7 }), 0, 0],
  ["a large number that is a setting", step("refund it", { timeout_ms: 30_000 }), 0, 0],
  ["a number with its separators", step("pay 12,500 EUR", { amount: 12_500 }), 0, 0],
  ["a spoken date", step("on 3 June 2024", { date: "2024-06-03" }), 1, 0],
  ["another day", step("on 3 June 2024", { date: "2024-06-04" }), 1, 1],
  ["a reason in the agent's words", step("it broke", { reason: "Device defect" }), 1, 0],
  ["an id in a search", step("where is it", { query: "PKG-77120" }), 1, 1],
  ["a search of words", step("where is it", { query: "parcel status" }), 1, 0],
  ["arguments as text", { prompt: "x", steps: [{ tool: "act", arguments: '{"id": "ORD-1"}' }] }, 1, 1],
  ["input for arguments", { prompt: "x", tool_trace: [{ tool: "act", input: { id: "ORD-1" } }] } as Row, 1, 1],
])("%s: %#", (_, row, v1, v2) => {
  expect(ungroundedArguments(row, { rules: "v1" })).toHaveLength(v1);
  expect(ungroundedArguments(row)).toHaveLength(v2);
});

test("numbers are checked all, those that name a thing, or not at all", () => {
  const row = step("refund it", { order_id: 7, quantity: 3 });
  const keys = (numbers: "ids" | "all" | "off") => ungroundedArguments(row, { numbers }).map(({ key }) => key);
  expect([keys("all"), keys("ids"), keys("off")]).toEqual([["order_id", "quantity"], ["order_id"], []]);
});

test("ignored keys: the last one, any on the way, or a path", () => {
  const row = step("x", { flights: [{ note: "QQ-1", code: "QQ-2" }], note: { inner: "QQ-3" } });
  const keys = (options: GroundingOptions) => ungroundedArguments(row, options).map(({ key }) => key);
  expect(keys({ rules: "v1", ignoreKeys: ["NOTE"] })).toEqual(["flights.0.code", "note.inner"]);
  expect(keys({ ignoreKeys: ["flights"] })).toEqual([]); // "note" is text of the agent's own
  expect(keys({ ignoreKeys: ["flights.*.code"] })).toEqual([]);
});

test("an invention that comes again is one, with its repeats", () => {
  const call = { tool: "refund", arguments: { order_id: "ORD-9" }, result: "ok" };
  expect(ungroundedArguments({ prompt: "x", steps: [call, call, call] })).toEqual([
    { tool: "refund", key: "order_id", value: "ORD-9", repeats: 2 },
  ]);
});

test("every source is named", () => {
  const row: Row = {
    prompt: "I am mia_li_3668",
    system_prompt: "Cabins: economy.",
    steps: [
      { tool: "get_user", arguments: { user_id: "mia_li_3668" }, result: { card: "card_77" } },
      { user: "On 3 June" },
      { tool: "book", arguments: { card: "card_77", cabin: "economy", date: "2024-06-03", seat: "44F" } },
    ],
  };
  expect(argumentSources(row).map(({ key, grounded }) => [key, grounded?.how, grounded?.source])).toEqual([
    ["user_id", "text", "prompt"],
    ["card", "text", "result of get_user"],
    ["cabin", "text", "system prompt"],
    ["date", "date", "user turn 1"],
    ["seat", undefined, undefined],
  ]);
});

test("aliases ground a value by other words", () => {
  const row = step("Fly me to Cologne", { to: "CGN" });
  expect(argumentGrounding(row)).toBe(0);
  expect(argumentGrounding(row, { aliases: { cgn: ["Cologne"] } })).toBe(1);
});

test("a call sees what came before it, and not what came after", () => {
  const row: Row = {
    prompt: "Cancel it",
    messages: [
      { role: "user", content: "Cancel it" },
      { role: "assistant", tool_calls: [{ id: "1", function: { name: "cancel", arguments: { id: "Q-5512" } } }] },
      { role: "tool", tool_call_id: "1", content: "unknown" },
      { role: "user", content: "It is Q-5512" },
      { role: "assistant", tool_calls: [{ id: "2", function: { name: "cancel", arguments: { id: "Q-5512" } } }] },
    ],
  };
  expect(ungroundedArguments(row)).toEqual([{ tool: "cancel", key: "id", value: "Q-5512" }]);
  const calls = toolCallsOf(row);
  expect(calls.map(({ context }) => context.includes("q-5512"))).toEqual([false, true]);
});

test("steps beside messages with the same calls: user turns count up to the call", () => {
  const messages = [
    { role: "user", content: "Cancel it" },
    { role: "assistant", tool_calls: [{ id: "1", function: { name: "cancel", arguments: {} } }] },
    { role: "user", content: "It is Q-5512" },
  ];
  const steps = [{ tool: "cancel", arguments: { id: "Q-5512" } }];
  expect(argumentGrounding({ prompt: "Cancel it", steps, messages })).toBe(0);
  expect(argumentGrounding({ prompt: "Cancel it", steps, messages: [messages[0]!, messages[2]!] })).toBe(1);
});

test.each<[string, GroundingOptions]>([
  ["minLen is 0", { minLen: 0 }],
  ["no option ignoreKey", { ignoreKey: [] } as object],
  ['numbers is "some"', { numbers: "some" as "all" }],
  ['no rules "v3"', { rules: "v3" as "v2" }],
])("%s is refused", (what, options) => expect(() => markGrounding([], options)).toThrow(what));

test("odd rows never throw: deep, circular, no text where text should be", () => {
  const circle: Record<string, unknown> = { id: "ORD-1" };
  circle.self = circle;
  let deep: unknown = "ORD-2";
  for (let i = 0; i < 500; i++) deep = { deep };
  const rows = [
    { prompt: "x", steps: [{ tool: "t", arguments: circle, result: circle }] },
    { prompt: 7, steps: [{ tool: { a: 1 }, arguments: { deep }, result: { deep } }] },
    { steps: [null, 3, { tool: "t", arguments: [1] }], messages: [null, { role: "assistant", content: 5 }] },
    null,
  ] as unknown as Row[];
  const [first, second, third, fourth] = markGrounding(rows);
  expect([first, second, third].map((row) => row!.markers!.argument_grounding)).toEqual([0, 1, 1]);
  expect(fourth).toBeNull();
});

test("what stands in the prompt word for word is grounded, whatever it is", () => {
  const value = fc.string({ minLength: 3, maxLength: 30 }).filter((text) => text.trim().length > 2);
  fc.assert(
    fc.property(value, (text) => {
      for (const rules of ["v1", "v2"] as const) {
        expect(argumentGrounding(step(`please use: ${text} , thanks`, { ref: text }), { rules })).toBe(1);
      }
    }),
  );
});

test("a long rollout takes time in proportion to its length", () => {
  const steps = Array.from({ length: 400 }, (_, i) => ({
    tool: "get",
    arguments: { id: `item_${i}` },
    result: { next: `item_${i + 1}`, text: "lorem ipsum ".repeat(20) },
  }));
  expect(ungroundedArguments({ prompt: "start at item_0", steps })).toEqual([]);
});
