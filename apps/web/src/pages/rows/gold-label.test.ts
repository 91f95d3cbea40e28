import { expect, test } from "vitest";
import { goldLabel } from "./gold-label.ts";

test.each([
  ["PASS", true],
  [" 0 ", false],
  ["no", false],
  ["OK", true],
  ["", null],
  ["maybe", null],
])("%j is %s", (word, label) => {
  expect(goldLabel(word)).toBe(label);
});
