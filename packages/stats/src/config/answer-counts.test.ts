import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { answerCounts } from "./answer-counts.ts";

test.each([
  // reply, answered, unclosed
  ["Done.", 1, 0],
  ["", 0, 0],
  ["  \n", 0, 0],
  ["<think>a</think>", 0, 0],
  ["<think>a</think>Done.", 1, 0],
  ["<think>a</think> <think>b</think>", 0, 0],
  ["<think>a", 0, 1],
  ["Done. <think>a", 1, 1],
  ["Done. <think>was that right? yes</think>", 1, 0],
  ["reasoning from the prompt's open tag</think>Done.", 1, 0],
  ["reasoning from the prompt's open tag</think>", 0, 0],
  ["a</think>b<think>c", 1, 1],
])("the reply %j: answered %i, unclosed %i", (final_text, answered, unclosed) => {
  expect(answerCounts([{ final_text }])).toEqual({ answered, unclosed, withReply: 1 });
});

test("messages speak where the final text does not", () => {
  const messages = [
    { role: "assistant", content: "Looking." },
    { role: "assistant", content: [{ type: "text", text: "blocks are not read" }] },
    { role: "tool", content: "result" },
  ];
  expect(answerCounts([{ final_text: " ", messages }])).toEqual({ answered: 1, unclosed: 0, withReply: 1 });
});

test("null is absent, and a row with neither field does not count", () => {
  expect(answerCounts([{ final_text: null, messages: null }, {}, null as unknown as Row])).toEqual({
    answered: 0,
    unclosed: 0,
    withReply: 0,
  });
});
