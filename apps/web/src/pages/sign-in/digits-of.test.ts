import { expect, test } from "vitest";
import { digitsOf } from "./digits-of.ts";

test.each([
  ["123 456", "123456"],
  ["Your code is 123-456.", "123456"],
  ["12", "12"],
  ["1234567", "123456"],
])("digitsOf(%j) is %s", (typed, digits) => {
  expect(digitsOf(typed)).toBe(digits);
});
