import fc from "fast-check";
import { expect, test } from "vitest";
import { tCdf, tQuantile } from "./student-t.ts";

test("with two degrees of freedom the distribution has a closed form", () => {
  fc.assert(
    fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (t) => {
      expect(tCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 12);
    }),
  );
});

test("the quantile is two-sided and undoes the distribution", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0.01, max: 0.999, noNaN: true }), (df, level) => {
      expect(tCdf(tQuantile(df, level), df)).toBeCloseTo((1 + level) / 2, 12);
    }),
  );
});

test("more degrees of freedom never widen it", () => {
  const quantiles = Array.from({ length: 60 }, (_, i) => tQuantile(i + 1, 0.95));
  expect(quantiles).toEqual(quantiles.toSorted((a, b) => b - a));
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("%d degrees of freedom are refused", (df) => {
  expect(() => tCdf(1, df)).toThrow("degrees of freedom");
  expect(() => tQuantile(df, 0.95)).toThrow("degrees of freedom");
});

test("a level that is no share is refused", () => {
  expect(() => tQuantile(3, 1)).toThrow("The level is 1.");
});
