import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { assistantTurns, replyLength, toolCallCount } from "./features.ts";

const call = { tool: "get", arguments: {}, result: { ok: true } };

const cases: [title: string, row: Row, length: number, calls: number, turns: number][] = [
  ["an empty row", {}, 0, 0, 0],
  ["a final text alone", { prompt: "p", final_text: "naïve 📦" }, 7, 0, 1],
  ["a call and a reply", { prompt: "p", steps: [{ ...call, text: "hm" }], final_text: "done" }, 6, 1, 2],
  ["a reply that restates the last step", { prompt: "p", steps: [{ text: "yes" }], final_text: "no" }, 5, 0, 1],
  ["a reply that is the last step", { prompt: "p", steps: [{ text: "yes" }], final_text: "yes" }, 3, 0, 1],
  ["a blank last step", { prompt: "p", steps: [{ text: " " }], final_text: "yes" }, 3, 0, 1],
  ["a tool trace without steps", { tool_trace: [call, call], final_text: "ok" }, 2, 2, 1],
  [
    "messages with calls and content blocks",
    {
      messages: [
        { role: "user", content: "p" },
        { role: "assistant", content: [{ type: "text", text: "ab" }], tool_calls: [{ name: "get", arguments: {} }] },
        { role: "tool", content: "a long answer" },
        { role: "assistant", content: "abc" },
      ],
    },
    5,
    1,
    2,
  ],
];

test.each(cases)("%s", (_, row, length, calls, turns) => {
  expect([replyLength(row), toolCallCount(row), assistantTurns(row)]).toEqual([length, calls, turns]);
});
