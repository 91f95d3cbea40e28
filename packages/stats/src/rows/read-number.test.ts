import { expect, test } from "vitest";
import { readNumber } from "./read-number.ts";

test.each([
  [0.25, 0.25],
  [" 0 ", 0],
  ["1.0", 1],
  ["-1e-3", -0.001],
  [".5", 0.5],
  ["5.", 5],
  ["", null],
  ["  ", null],
  ["0x1", null],
  ["1,5", null],
  ["Infinity", null],
  ["1e999", null],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [true, null],
  [null, null],
  [undefined, null],
  [[1], null],
  [{}, null],
])("readNumber(%j) is %j", (value, expected) => {
  expect(readNumber(value)).toBe(expected);
});
