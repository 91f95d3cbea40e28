import { expect, test } from "vitest";
import { formatFixed, formatInterval, formatPercent, formatSigned } from "./format-number.ts";

test("what was not measured says so and is never 0", () => {
  const texts = [formatFixed(null, 2), formatSigned(null, 2), formatPercent(null), formatInterval(null)];
  expect(texts).toEqual(Array(4).fill("not measured"));
  expect(formatFixed(null, 2, { absent: "n/a" })).toBe("n/a");
});

test.each([
  [0, 3, "+0.000"],
  [-0, 3, "+0.000"],
  [-0.0004, 3, "+0.000"],
  [-0.0006, 3, "-0.001"],
  [0.25, 1, "+0.2"],
])("formatSigned(%d, %i) is %s", (x, digits, expected) => {
  expect(formatSigned(x, digits)).toBe(expected);
});

test("formatInterval shows both bounds, with signs where the interval is of a difference", () => {
  expect(formatInterval([0.3057, 0.8632])).toBe("[0.31..0.86]");
  expect(formatInterval([-0.0201, 0.1], 3, { signed: true })).toBe("[-0.020..+0.100]");
});
