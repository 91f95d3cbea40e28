import { expect, test } from "vitest";
import { numericTag } from "./numeric-tag.ts";

test.each([
  ["12", 12],
  [" 3.50 ", 3.5],
  ["-0.2", -0.2],
  ["+7", 7],
  [".5", 0.5],
  ["1e3", 1000],
  ["", null],
  ["  ", null],
  ["0x10", null],
  ["Infinity", null],
  ["1e999", null],
  ["NaN", null],
  ["1,000", null],
  ["2026-09-18", null],
  ["1.2.3", null],
  ["12 s", null],
])("%j is %s", (text, number) => {
  expect(numericTag(text)).toBe(number);
});
