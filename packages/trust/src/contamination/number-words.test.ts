import { expect, test } from "vitest";
import { digitsOf } from "./number-words.ts";

test.each([
  ["7", "7"],
  ["7.00", "7"],
  ["7.50", "7.50"],
  ["2nd", "2nd"],
  ["nineteen", "19"],
  ["twenty", "20"],
  ["dozen", "12"],
  ["twice", "2"],
  ["cows", undefined],
])("digitsOf(%j)", (token, digits) => expect(digitsOf(token)).toBe(digits));
