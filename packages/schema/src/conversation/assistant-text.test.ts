import { expect, test } from "vitest";
import { assistantText } from "./assistant-text.ts";

test.each([
  [
    "final text and every assistant turn, lower-cased",
    { prompt: "Q", steps: [{ tool: "t", text: "Let ME look.", result: "R" }], final_text: "Done" },
    "done\nlet me look.\ndone",
  ],
  [
    "carried messages win over steps",
    {
      messages: [
        { role: "user", content: "Q" },
        { role: "assistant", content: "A" },
      ],
      steps: [{ text: "B" }],
      final_text: "",
    },
    "a",
  ],
  [
    "block content is read too",
    { messages: [{ role: "assistant", content: [{ type: "text", text: "A" }] }], final_text: null },
    "a",
  ],
  ["nothing said is empty", { prompt: "Q" }, ""],
])("%s", (_title, row, expected) => {
  expect(assistantText(row)).toBe(expected);
});
