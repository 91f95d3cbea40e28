import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { isTruncated } from "./is-truncated.ts";

const long = `${"word ".repeat(50)}cut`;

test.each<[truncated: boolean, title: string, row: Row]>([
  [true, "the engine says length", { finish_reason: "length", final_text: "Done." }],
  [true, "the row is marked", { truncated: true, final_text: "Done." }],
  [true, "a step is marked", { steps: [{ text: "a" }, { text: "b", truncated: true }], final_text: "Done." }],
  [true, "the grader says so", { reason: "Response  TRUNCATED mid-sentence", final_text: "Done." }],
  [false, "an older reason does not count beside a newer one", { reason: "fine", grader_reason: "cut off" }],
  [true, "a long text without an ending", { final_text: `${long}\n` }],
  [false, "a long text with one", { final_text: `${long}.` }],
  [false, "a recorded stop overrules the guess", { finish_reason: "stop", final_text: long }],
  [true, "an unknown finish reason does not", { finish_reason: "tool_calls", final_text: long }],
  [false, "no text", {}],
])("truncated %s: %s", (truncated, _, row) => {
  expect(isTruncated(row)).toBe(truncated);
});
