import { expect, test } from "vitest";
import { clipText } from "./clip-text.ts";

test.each([
  [360, 360, 0],
  [361, 280, 81],
  [2000, 280, 1720],
  [0, 0, 0],
])("of %i characters %i are shown and %i follow", (length, shown, more) => {
  expect(clipText("x".repeat(length))).toEqual({ text: "x".repeat(shown), more });
});

test("a character of two units stays whole", () => {
  expect(clipText("😀".repeat(400))).toEqual({ text: "😀".repeat(280), more: 120 });
});
