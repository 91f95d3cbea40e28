import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDelta, formatPoints, formatSignificant, roundPoints } from "./number-format.ts";

test.each([
  [83, "83"],
  [62.5, "62.5"],
  [0, "0"],
  [0.04, "0"],
  [-0, "0"],
  [99.94, "99.9"],
  [99.95, "100"],
  [2.25, "2.2"],
  [0.25, "0.2"],
  [3.818376618407357, "3.8"],
  [-5, "-5"],
])("formatPoints(%d) is %s", (points, text) => {
  expect(formatPoints(points)).toBe(text);
});

test.each([
  [5, "5"],
  [41.2, "41.2"],
  [0.1234567, "0.123457"],
  [0.00001, "1e-05"],
  [0.0001, "0.0001"],
  [1234567, "1.23457e+06"],
  [999999.5, "1e+06"],
  [2.4, "2.4"],
  [0, "0"],
  [-30, "-30"],
  [1e-300, "1e-300"],
])("formatSignificant(%d) is %s", (x, text) => {
  expect(formatSignificant(x)).toBe(text);
});

test.each([
  [5, "+5"],
  [-5.3, "-5.3"],
  [0, "0"],
])("formatDelta(%d) is %s", (x, text) => {
  expect(formatDelta(x)).toBe(text);
});

test("roundPoints takes exact ties to even, and six digits never lose more than one part in 200,000", () => {
  expect([71.25, 4.05, 3.75].map(roundPoints)).toEqual([71.2, 4, 3.8]);
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), (x) => {
      expect(Math.abs(Number(formatSignificant(x)) - x)).toBeLessThanOrEqual(x * 5.0001e-6);
    }),
  );
});
