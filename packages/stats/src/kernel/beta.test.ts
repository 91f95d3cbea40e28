import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import { betaInc, betaQuantile } from "./beta.ts";

// mpmath at 50 digits; the case 10000 is a sum of 10000 exact binomial terms.
test.each([
  [50, 0.5, 0.97, 0.08169933372182263],
  [30, 20, 0.62, 0.6062821728711946],
  [10_000, 10_000, 0.495, 0.07864700888166413],
  [5000, 0.5, 0.9999, 0.31731050725795346],
  [1000, 3, 0.999, 0.9194224096397954],
  [20, 30, 0.001, 2.750687665855993e-47],
  [0.5, 100, 0.02, 0.9553145036373666],
])("betaInc(%d, %d, %d)", (a, b, x, expected) => {
  expect(Math.abs(betaInc(a, b, x) / expected - 1)).toBeLessThan(1e-13);
});

const shape = fc.double({ min: 0.01, max: 1e4, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

test("the two sides of a beta variable add up to one", () => {
  fc.assert(
    fc.property(shape, shape, share, (a, b, x) => {
      expect(betaInc(a, b, x, 1 - x) + betaInc(b, a, 1 - x, x)).toBeCloseTo(1, 10);
    }),
  );
});

test("betaInc grows with x", () => {
  fc.assert(
    fc.property(shape, shape, share, share, (a, b, x, y) => {
      const [low, high] = x < y ? [x, y] : [y, x];
      expect(betaInc(a, b, low)).toBeLessThanOrEqual(betaInc(a, b, high) + 1e-12);
    }),
  );
});

test("betaQuantile undoes betaInc", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), share, (a, b, p) => {
      expect(Math.abs(betaInc(a, b, betaQuantile(p, a, b)) - p)).toBeLessThan(1e-11);
    }),
  );
});

test.each([
  [0, 1, 0.5],
  [1, -2, 0.5],
  [1, Number.POSITIVE_INFINITY, 0.5],
  [1, 1, 1.5],
  [1, 1, Number.NaN],
])("betaInc(%d, %d, %d) is refused", (a, b, x) => {
  expect(() => betaInc(a, b, x)).toThrow(StatsError);
});
