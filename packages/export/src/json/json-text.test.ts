import { expect, test } from "vitest";
import { floatText, jsonText, newTextCounts } from "./json-text.ts";

test("line separators and halves of pairs are escaped, everything else is raw", () => {
  const counts = newTextCounts();
  expect(jsonText(["é😀", "a\u2028b\u2029c", "x\ud835", "\u0085\n"], ", ", counts)).toBe(
    '["é😀", "a\\u2028b\\u2029c", "x\\ud835", "\u0085\\n"]',
  );
  expect(counts).toEqual({ nonfinite: 0, loneSurrogates: 1 });
});

test("NaN and infinities are null and counted; undefined is left out", () => {
  const counts = newTextCounts();
  expect(jsonText({ a: Number.NaN, b: [Number.POSITIVE_INFINITY, undefined], c: undefined }, ", ", counts)).toBe(
    '{"a": null, "b": [null, null]}',
  );
  expect(counts.nonfinite).toBe(2);
});

test.each([
  [1, "1.0"],
  [0, "0.0"],
  [-0, "-0.0"],
  [-3, "-3.0"],
  [0.5, "0.5"],
  [1e21, "1e+21"],
  [1e-7, "1e-7"],
  [Number.NaN, "null"],
])("floatText(%d) is %s", (value, text) => {
  expect(floatText(value, newTextCounts())).toBe(text);
});
