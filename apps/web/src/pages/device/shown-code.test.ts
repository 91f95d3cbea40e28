import { expect, test } from "vitest";
import { shownCode } from "./shown-code.ts";

test.each([
  ["bxkdtrqw", "BXKD-TRQW"],
  [" BXKD - TRQW ", "BXKD-TRQW"],
  ["BXKD", "BXKD"],
  ["BXKDT", "BXKD-T"],
  ["", ""],
  ["../x", "X"],
])("shownCode(%j) is %s", (typed, code) => {
  expect(shownCode(typed)).toBe(code);
});
