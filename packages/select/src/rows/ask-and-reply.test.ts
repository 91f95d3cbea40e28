import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { askAndReply } from "./ask-and-reply.ts";
import { isIncompleteJunk } from "./is-incomplete-junk.ts";

const messages: NonNullable<Row["messages"]> = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Where is order 7?" },
  { role: "assistant", content: [{ type: "text", text: "It shipped." }] },
];

test.each<[about: string, row: Row, ask: string, reply: string]>([
  ["messages alone", { messages }, "Where is order 7?", "It shipped."],
  ["keys beside messages", { messages, prompt: "p", final_text: "f" }, "p", "f"],
  ["a reply that is empty", { messages, final_text: "" }, "Where is order 7?", ""],
  ["an ask alone", { prompt: "p" }, "p", ""],
  ["nothing", {}, "", ""],
])("askAndReply of %s", (_, row, ask, reply) => {
  expect(askAndReply(row)).toEqual({ ask, reply });
});

test.each<[about: string, row: Row, isJunk: boolean]>([
  ["messages that end on a reply", { messages }, false],
  ["messages that end on an ask", { messages: messages.slice(0, 2) }, true],
  ["messages whose reply is empty", { messages: [...messages.slice(0, 2), { role: "assistant", content: "" }] }, true],
  [
    "messages whose reply is cut",
    { messages: [...messages.slice(0, 2), { role: "assistant", content: "and then ".repeat(80) }] },
    true,
  ],
  ["messages with a final text that is empty", { messages, final_text: "" }, true],
  [
    "a question back to an ask of two words",
    {
      messages: [
        { role: "user", content: "My order" },
        { role: "assistant", content: "Which one?" },
      ],
    },
    true,
  ],
])("isIncompleteJunk of %s", (_, row, isJunk) => {
  expect(isIncompleteJunk(row)).toBe(isJunk);
});
