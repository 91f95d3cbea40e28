import fc from "fast-check";
import { expect, test } from "vitest";
import { normalCdf, normalQuantile } from "./normal.ts";

// mpmath at 50 digits. Golden cases of scipy are in test/golden.
test.each([
  [-37, 5.725571222524577e-300],
  [-20, 2.7536241186062337e-89],
  [-5, 2.866515718791939e-7],
  [-2.5000001, 0.006209663572946307],
  [-2.5, 0.006209665325776135],
  [-2.4, 0.008197535924596131],
  [-0.1, 0.460172162722971],
  [0.7, 0.758036347776927],
  [3, 0.9986501019683699],
])("normalCdf(%d) keeps 13 digits in the lower tail", (x, expected) => {
  expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(1e-13);
});

test.each([
  [1e-30, -11.464024688443615],
  [1e-5, -4.264890793922825],
  [0.07, -1.4757910281791706],
  [0.075, -1.439531470938456],
  [0.6, 0.2533471031357997],
  [0.999, 3.090232306167813],
])("normalQuantile(%d)", (p, expected) => {
  expect(normalQuantile(p)).toBeCloseTo(expected, 14);
});

test("the quantile is infinite at 0 and 1 and refuses what is no share", () => {
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
  expect(() => normalQuantile(1.01)).toThrow("The probability is 1.01.");
  expect(() => normalQuantile(Number.NaN)).toThrow("NaN");
});

test("the quantile undoes the distribution", () => {
  fc.assert(
    fc.property(fc.double({ min: -6, max: 6, noNaN: true }), (x) => {
      // Above 0 the upper tail is lost in 1 - p, so the digits of x go with it.
      expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(x > 3 ? 1e-6 : 1e-12);
    }),
  );
});
