import { describe, expect, test } from "vitest";
import type { Message } from "../row.ts";
import { conversation } from "./conversation.ts";
import { fromMessages } from "./from-messages.ts";

const user = (content: unknown) => ({ role: "user", content });
const call = (...calls: { id?: string; name: string }[]) => ({ role: "assistant", content: null, tool_calls: calls });
const answer = (content: unknown, rest: object = {}) => ({ role: "tool", content, ...rest });
const results = (messages: Message[]) => fromMessages(messages).steps.map(({ tool, result }) => `${tool}=${result}`);

describe("answers find their call", () => {
  test.each([
    [
      "by id",
      [
        call({ id: "1", name: "a" }, { id: "2", name: "a" }),
        answer("x", { tool_call_id: "2", name: "a" }),
        answer("y", { tool_call_id: "1" }),
      ],
      ["a=y", "a=x"],
    ],
    [
      "by name, the oldest first",
      [call({ name: "a" }, { name: "b" }, { name: "b" }), answer("x", { name: "b" }), answer("y", { name: "b" })],
      ["a=undefined", "b=x", "b=y"],
    ],
    ["else the oldest unanswered", [call({ name: "a" }, { name: "b" }), answer("x"), answer("y")], ["a=x", "b=y"]],
    [
      "by the newest call of an id used twice",
      [
        call({ id: "1", name: "a" }),
        answer("x", { tool_call_id: "1" }),
        call({ id: "1", name: "a" }),
        answer("y", { tool_call_id: "1" }),
      ],
      ["a=x", "a=y"],
    ],
    [
      "in turn, when one call is answered twice",
      [
        call({ id: "1", name: "a" }, { id: "2", name: "b" }),
        answer("x", { tool_call_id: "1" }),
        answer("y", { tool_call_id: "1" }),
      ],
      ["a=x", "b=y"],
    ],
    ["or stand alone", [answer("x", { name: "late" }), answer("y")], ["late=x", "unknown=y"]],
  ])("%s", (_how, messages, expected) => {
    expect(results([user("go"), ...messages])).toEqual(expected);
  });

  test("an answer without a call is noted", () => {
    expect([...fromMessages([user("go"), answer("x")]).notes]).toEqual([["orphan_answer", 1]]);
  });

  test("twenty thousand parallel calls cost a moment, not a minute", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => ({ name: `t${i % 7}` }));
    const read = fromMessages([
      user("go"),
      call(...names),
      ...names.map(({ name }, i) => answer(`${i}`, i % 2 ? { name } : {})),
    ]);
    expect(read.steps.every((step) => typeof step.result === "string")).toBe(true);
  });
});

describe("results", () => {
  test.each([
    // Content that looks like a number, a word of JSON or broken JSON is text.
    ["4473", "4473"],
    ["1e5", "1e5"],
    ["null", "null"],
    ["{oops", "{oops"],
    [' {"a":1}', { a: 1 }],
    ["[1,2]", [1, 2]],
    [null, ""],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    [{ status: "ok" }, { status: "ok" }],
    [[{ sku: 1 }], [{ sku: 1 }]],
  ])("content %j is the result %j", (content, result) => {
    expect(fromMessages([user("go"), call({ name: "a" }), answer(content)]).steps[0]?.result).toEqual(result);
  });

  test.each([
    // An error flag in the dialects of Anthropic, tau2 and Inspect.
    [
      { content: "boom", is_error: true },
      { error: "boom", status: "error" },
    ],
    [
      { content: "boom", error: true },
      { error: "boom", status: "error" },
    ],
    [
      { content: "", error: { type: "timeout", message: "too slow" } },
      { error: "too slow", status: "error" },
    ],
    [
      { content: '{"code":5}', error: { message: "no" } },
      { code: 5, error: "no", status: "error" },
    ],
    [
      { content: '{"error":"mine","status":"failed"}', error: true },
      { error: "mine", status: "failed" },
    ],
    [
      { content: "[1]", is_error: true },
      { error: "[1]", status: "error" },
    ],
    [{ content: "fine", is_error: false, error: null }, "fine"],
  ])("%j", (message, result) => {
    expect(fromMessages([user("go"), call({ name: "a" }), { role: "tool", ...message }]).steps[0]?.result).toEqual(
      result,
    );
  });
});

describe("turns", () => {
  test("a greeting before the ask is the opener; system texts join", () => {
    const read = fromMessages([
      { role: "system", content: "A" },
      { role: "developer", content: [{ type: "text", text: "B" }] },
      { role: "assistant", content: "Hello." },
      user("Hi"),
    ]);
    expect(read).toMatchObject({ system: "A\n\nB", opener: "Hello.", prompt: "Hi", steps: [], final_text: "Hello." });
  });

  test("a message that only carries tool results is no turn of the user", () => {
    const read = fromMessages([
      user("go"),
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] },
      user([{ type: "tool_result", tool_use_id: "1", content: "x" }]),
      user([
        { type: "tool_result", tool_use_id: "9", content: "y" },
        { type: "text", text: "And?" },
      ]),
    ]);
    expect(read.steps).toEqual([
      { tool: "a", arguments: {}, id: "1", result: "x" },
      { tool: "unknown", arguments: {}, result: "y" },
      { user: "And?" },
    ]);
  });

  test("what was said with several calls is told once, with the first", () => {
    const message = { ...call({ name: "a" }, { name: "b" }), content: "Let me look." };
    expect(fromMessages([user("go"), message]).steps).toEqual([
      { tool: "a", arguments: {}, text: "Let me look." },
      { tool: "b", arguments: {} },
    ]);
  });

  test("a refusal is what the agent said", () => {
    const read = fromMessages([user("go"), { role: "assistant", content: null, refusal: "I can't do that." }]);
    expect(read.final_text).toBe("I can't do that.");
  });

  test("what is no text is counted by kind, and so is what is no message", () => {
    const { notes } = fromMessages([
      user([{ type: "image_url" }, { type: "image_url" }, { type: "text", text: "what is this?" }]),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "A cat." },
        ],
      },
      { role: "critic", content: "ok" },
      "stray" as unknown as Message,
    ]);
    expect(Object.fromEntries(notes)).toEqual({
      "block:image_url": 2,
      "block:thinking": 1,
      "role:critic": 1,
      not_a_message: 1,
    });
  });

  test("an ask behind the first step is noted, because a row tells it first", () => {
    const { prompt, notes } = fromMessages([call({ name: "a" }), answer("x"), user("Hi")]);
    expect(prompt).toBe("Hi");
    expect(notes.get("ask_after_steps")).toBe(1);
  });
});

test("arguments that are not JSON keep their text, there and back", () => {
  const messages = [user("go"), call({ name: "get_order", arguments: "{order_id: A1}" } as { name: string })];
  const read = fromMessages(messages);
  expect(read.steps).toEqual([{ tool: "get_order", arguments: {}, raw_arguments: "{order_id: A1}" }]);
  expect(read.notes.get("unreadable_call")).toBe(1);
  const { notes: _, ...again } = fromMessages(conversation({ ...read }));
  expect(again).toMatchObject({ steps: read.steps });
});
