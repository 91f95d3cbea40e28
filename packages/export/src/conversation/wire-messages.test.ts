import type { Message } from "@while/schema";
import { expect, test } from "vitest";
import { newTextCounts } from "../json/json-text.ts";
import { type ConversionCounts, newConversionCounts } from "./conversion-counts.ts";
import { type WireOptions, wireMessages } from "./wire-messages.ts";

function wire(messages: Message[], options: Partial<WireOptions> = {}) {
  const counts = newConversionCounts();
  const conversation = wireMessages(
    messages,
    { systemPrompt: null, stripThink: true, maxToolOutputChars: null, toolOutputKeep: "head", ...options },
    { where: () => "row 0", counts, text: newTextCounts() },
  );
  return { ...conversation, counts };
}

const above = (counts: ConversionCounts) =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => (n instanceof Map ? n.size > 0 : n > 0)));

const call = (name: string, id?: string) => ({ ...(id === undefined ? {} : { id }), name, arguments: {} });
const asks = (...calls: object[]): Message => ({ role: "assistant", content: "", tool_calls: calls });
const tool = (content: string, more: Partial<Message> = {}): Message => ({ role: "tool", content, ...more });
const links = (messages: Message[]) => wire(messages).messages.flatMap(({ tool_call_id: id }) => (id ? [id] : []));

test("answers without an id go to the calls of the turn before them, first in, first out", () => {
  expect(links([asks(call("a"), call("b")), tool("1"), tool("2")])).toEqual(["call_0000", "call_0001"]);
});

test("of these the call of the answering tool's name comes first", () => {
  expect(links([asks(call("a"), call("b")), tool("1", { name: "b" }), tool("2", { name: "a" })])).toEqual([
    "call_0001",
    "call_0000",
  ]);
});

test("a call that was never answered does not take the answers of all that follow", () => {
  const { messages, counts } = wire([asks(call("a")), asks(call("a")), tool("1")]);
  expect(messages[2]!.tool_call_id).toBe("call_0001");
  expect(above(counts)).toEqual({ unansweredCalls: 1 });
});

test("a late answer with its id is an answer", () => {
  const { counts } = wire([asks(call("a", "x")), { role: "user", content: "and?" }, tool("1", { tool_call_id: "x" })]);
  expect(above(counts)).toEqual({});
});

test("calls of the last turn may just not have been run yet", () => {
  expect(above(wire([asks(call("a"), call("b")), tool("1")]).counts)).toEqual({});
  expect(above(wire([asks(call("a")), { role: "user", content: "?" }]).counts)).toEqual({ unansweredCalls: 1 });
});

test("answers without a call are counted; a second answer to one call is one of them", () => {
  expect(above(wire([tool("1")]).counts)).toEqual({ orphanToolMessages: 1 });
  const answer = tool("1", { tool_call_id: "x" });
  expect(above(wire([asks(call("a", "x")), answer, answer]).counts)).toEqual({ orphanToolMessages: 1 });
});

test("a system prompt replaces the leading system message, later ones stay", () => {
  const messages: Message[] = [
    { role: "developer", content: "old" },
    { role: "user", content: "q" },
    { role: "system", content: "later" },
  ];
  const replaced = wire(messages, { systemPrompt: "new" });
  expect(replaced.messages.map(({ content }) => content)).toEqual(["new", "q", "later"]);
  expect(above(replaced.counts)).toEqual({ systemReplaced: 1 });
  expect(above(wire(messages, { systemPrompt: "old" }).counts)).toEqual({});
  expect(wire(messages, { systemPrompt: "" }).messages[0]).toEqual({ role: "system", content: "old" });
});

test("blocks: text is joined, calls and answers are read, the rest is counted by kind", () => {
  const { messages, counts } = wire([
    { role: "user", content: [{ type: "text", text: "see" }, { type: "image_url" }, "this"] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "tool_use", id: "u", name: "f", input: { a: 1 } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "u", content: [{ type: "text", text: "ok" }] }] },
  ]);
  expect(messages).toEqual([
    { role: "user", content: "see\nthis" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "u", type: "function", function: { name: "f", arguments: '{"a": 1}' } }],
    },
    { role: "tool", content: "ok", tool_call_id: "u" },
  ]);
  expect(above(counts)).toEqual({ contentPartsDropped: new Map([["image_url", 1]]), thinkRemoved: 1 });
});

test("with stripThink off a thinking block is dropped like any other block, and counted", () => {
  const messages: Message[] = [{ role: "assistant", content: [{ type: "thinking", thinking: "hm" }, "4"] }];
  expect(above(wire(messages, { stripThink: false }).counts)).toEqual({
    contentPartsDropped: new Map([["thinking", 1]]),
  });
});

test("data under content is its JSON, a refusal is what the agent said", () => {
  const { messages } = wire([
    { role: "tool", content: { status: "ok" } },
    { role: "tool", content: [1, 2] },
    { role: "assistant", content: null, refusal: "I cannot." },
  ]);
  expect(messages.map(({ content }) => content)).toEqual(['{"status": "ok"}', "[1, 2]", "I cannot."]);
});

test("fields without a place on the wire are counted, empty ones are not", () => {
  const message = {
    role: "assistant",
    content: "a",
    weight: 0,
    refusal: null,
    audio: null,
    annotations: [],
    name: null,
  };
  expect(above(wire([message]).counts)).toEqual({ messageFieldsDropped: new Map([["weight", 1]]) });
});

test("an unknown role is refused with its place", () => {
  expect(() =>
    wire([
      { role: "user", content: "a" },
      { role: "critic", content: "b" },
    ]),
  ).toThrow(/^unknown_role: Message 1 of row 0 has the role "critic"/);
  expect(() => wire([null as never])).toThrow(/^unknown_role: Message 0 of row 0 has the role null/);
});
