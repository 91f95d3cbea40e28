import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialCdf, binomialPmf } from "./binomial.ts";
import { sum } from "./sum.ts";

// mpmath at 50 digits.
test.each([
  [0, 10, 0.3, 0.0282475249],
  [3, 10, 0.3, 0.266827932],
  [10, 10, 0.3, 5.9049e-6],
  [500, 1000, 0.5, 0.0252250181783608],
  [1, 1_000_000, 1e-6, 0.3678796251112702],
  [500_000, 1_000_000, 0.5, 0.0007978843613317501],
  [7, 8, 0.999, 0.00794416772027984],
])("binomialPmf(%d, %d, %d)", (k, n, p, expected) => {
  expect(Math.abs(binomialPmf(k, n, p) / expected - 1)).toBeLessThan(1e-13);
});

test.each([
  [0, 0],
  [3, 1],
])("at p = %d every draw agrees", (k, p) => {
  expect(binomialPmf(k, 3, p)).toBe(1);
  expect(binomialPmf(1, 3, p)).toBe(0);
});

test("the distribution is the sum of the terms", () => {
  const draws = fc.integer({ min: 0, max: 60 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
  fc.assert(
    fc.property(draws, fc.double({ min: 0, max: 1, noNaN: true }), ([k, n], p) => {
      const terms = Array.from({ length: k + 1 }, (_, i) => binomialPmf(i, n, p));
      expect(binomialCdf(k, n, p)).toBeCloseTo(sum(terms), 12);
    }),
  );
});

test("counts that cannot be are refused", () => {
  expect(() => binomialPmf(4, 3, 0.5)).toThrow("4 successes of 3 draws");
  expect(() => binomialCdf(1.5, 3, 0.5)).toThrow("1.5 successes");
});
