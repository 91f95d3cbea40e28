import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { loadTraces } from "./load-traces.ts";

test("four loose records: two names for a reply, a score to cut, a trace, and one that is no row", () => {
  const source = [
    { question: "Where is order 4473?", output: "Shipped." },
    { prompt: "cancel my order", score: 0.75 },
    { prompt: "x", tool_trace: [{ tool: "t", input: { a: 1 }, output: { status: "ok" } }], reward: true },
    { note: 1 },
  ];
  const { rows, dropped } = loadTraces(source, { rewardKey: ["reward", "score"], threshold: 0.5 });
  expect(rows).toMatchObject([
    { prompt: "Where is order 4473?", final_text: "Shipped.", steps: [] },
    { prompt: "cancel my order", reward: 1, steps: [], final_text: "", score: 0.75 },
    { prompt: "x", reward: 1, steps: [{ tool: "t", arguments: { a: 1 }, result: { status: "ok" } }] },
  ]);
  expect(dropped).toBe(1);
  expect(rows[0]).not.toHaveProperty("question");
  expect(source[0]).toEqual({ question: "Where is order 4473?", output: "Shipped." });
});

test.each([
  [
    { prompt: "a", question: "b" },
    { prompt: "a", question: "b" },
  ],
  [{ prompt: "", question: "b" }, { prompt: "b" }],
  [
    { task: "t", input: "i" },
    { prompt: "i", task: "t" },
  ],
  [
    { ask: "a", response: "r", answer: "b" },
    { prompt: "a", final_text: "r", answer: "b" },
  ],
  [{ input: { a: 1 } }, { prompt: '{"a": 1}' }],
  [{ prompt: 7 }, { prompt: "7" }],
  [
    { prompt: "p", anything: { nested: [1] }, tier: 3 },
    { prompt: "p", anything: { nested: [1] }, tier: 3 },
  ],
])("%j is the row %j", (record, row) => {
  expect(loadTraces([record]).rows[0]).toMatchObject(row);
});

test.each([
  ["under prompt", { prompt: [{ role: "user", content: "hi" }], answer: "hello" }],
  ["under input.messages", { input: { messages: [{ role: "user", content: "hi" }] }, output: "hello" }],
  [
    "as messages",
    {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ],
    },
  ],
  ["on both sides", { prompt: [{ role: "user", content: "hi" }], response: [{ role: "assistant", content: "hello" }] }],
  ["as a reply to a text", { prompt: "hi", response: [{ role: "assistant", content: "hello" }] }],
])("a conversation %s is told as prompt and reply, and kept as messages", (_, record) => {
  const [row] = loadTraces([record]).rows;
  expect(row).toMatchObject({ prompt: "hi", final_text: "hello" });
  expect(row?.messages?.[0]).toBeDefined();
});

test("rules at the head of a conversation are its system_prompt, and what else stood there is kept", () => {
  const system = { role: "system", content: "Be brief." };
  const user = { role: "user", content: "hi" };
  const { rows } = loadTraces([
    { messages: [system, user] },
    { input: { messages: [system, user], temperature: 0 }, answer: "a" },
    { prompt: [user], messages: [user, system] },
    { messages: [{ role: "developer", content: "Be kind." }, user] },
  ]);
  expect(rows).toMatchObject([
    { system_prompt: "Be brief.", messages: [user], prompt: "hi" },
    { system_prompt: "Be brief.", messages: [user], prompt: "hi", input: { temperature: 0 } },
    { prompt: "hi", messages: [user, system], prompt_messages: [user] },
    { system_prompt: "Be kind.", messages: [user], system_messages: [{ role: "developer", content: "Be kind." }] },
  ]);
});

test("an empty list of steps is none, and the messages tell them", () => {
  const messages = [
    { role: "user", content: "where?" },
    { role: "assistant", content: "", tool_calls: [{ name: "find", arguments: { id: 1 } }] },
    { role: "tool", name: "find", content: "there" },
    { role: "assistant", content: "There." },
  ];
  expect(loadTraces([{ steps: [], messages }]).rows[0]).toMatchObject({
    prompt: "where?",
    steps: [{ tool: "find", arguments: { id: 1 }, result: "there" }, { text: "There." }],
    final_text: "There.",
  });
});

test("an ask or a reply that is missing is found in the steps", () => {
  expect(loadTraces([{ steps: [{ user: "a" }, { text: "b" }, { text: "c" }] }]).rows[0]).toMatchObject({
    prompt: "a",
    final_text: "c",
  });
});

test("only tool steps have their keys renamed, and only where the canonical key is missing", () => {
  const steps = [
    { tool: "t", args: { a: 1 }, response: "r" },
    { tool: "t", arguments: { a: 1 }, input: { b: 2 }, result: null, output: "o" },
    { text: "x", output: "o" },
  ];
  expect(loadTraces([{ prompt: "p", steps }]).rows[0]?.steps).toEqual([
    { tool: "t", arguments: { a: 1 }, result: "r" },
    { tool: "t", arguments: { a: 1 }, input: { b: 2 }, result: null, output: "o" },
    { text: "x", output: "o" },
  ]);
});

test.each([
  // label, options, reward, judge_meta
  [{ reward: true }, {}, 1, undefined],
  [{ reward: false }, {}, 0, undefined],
  [{ reward: 0.75 }, {}, 0.75, undefined],
  [{ reward: 0.75 }, { keepFractional: false }, null, { rating: 0.75 }],
  [{ reward: 0.75 }, { threshold: 0.75 }, 1, { rating: 0.75, threshold: 0.75 }],
  [{ reward: 3 }, { threshold: 4 }, 0, { rating: 3, threshold: 4 }],
  [{ reward: 3 }, {}, null, { reward_out_of_range: 3 }],
  [{ score: 1 }, { rewardKey: "score" }, 1, undefined],
  [{ score: 0.75 }, { rewardKey: "score" }, undefined, undefined],
  [{ score: 0.75 }, { rewardKey: "score", keepFractional: true }, 0.75, undefined],
  [{ score: 3 }, { rewardKey: "score", threshold: 3 }, 1, undefined],
  [{ reward: 1 }, { rewardKey: "score" }, null, { reward_unread: 1 }],
  [{ reward: null }, {}, null, undefined],
  [{}, {}, undefined, undefined],
])("%j with %j has the reward %j", (label, options, reward, meta) => {
  const [row] = loadTraces([{ prompt: "p", ...label }], options).rows;
  expect(row?.reward).toBe(reward);
  expect(row?.judge_meta).toEqual(meta);
});

test("an unknown option is refused", () => {
  expect(() => loadTraces([], { rewardkey: "score" } as object)).toThrow(SchemaError);
});
