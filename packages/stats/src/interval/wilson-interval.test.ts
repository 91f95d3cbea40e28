import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import { scoreInterval, wilsonInterval } from "./wilson-interval.ts";

const SLACK = 1e-12; // one ulp off at the ends
const counts = fc.integer({ min: 1, max: 500 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));

test.each([
  // successes, n, low, high
  [0, 40, 0, 0.087625],
  [40, 40, 0.912375, 1],
  [14, 307, 0.0274, 0.0751],
])("wilsonInterval(%i, %i)", (successes, n, low, high) => {
  const [a, b] = wilsonInterval(successes, n)!;
  expect(a).toBeCloseTo(low, 4);
  expect(b).toBeCloseTo(high, 4);
});

test("wilsonInterval(0, 0) is null: no rows is not a rate of 0", () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});

test("the interval contains the observed rate and stays inside [0, 1]", () => {
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [low, high] = wilsonInterval(successes, n)!;
      expect(low - SLACK).toBeLessThanOrEqual(successes / n);
      expect(high + SLACK).toBeGreaterThanOrEqual(successes / n);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});

test("failures mirror successes", () => {
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [low, high] = wilsonInterval(successes, n)!;
      const [mirrorLow, mirrorHigh] = wilsonInterval(n - successes, n)!;
      expect(mirrorLow).toBeCloseTo(1 - high, 12);
      expect(mirrorHigh).toBeCloseTo(1 - low, 12);
    }),
  );
});

test("the bounds solve Wilson's own equation, (p - rate)^2 = z^2 p (1 - p) / n", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 1000 }), (rate, n) => {
      for (const p of scoreInterval(rate, n, 1.96))
        expect((p - rate) ** 2).toBeCloseTo((1.96 ** 2 * p * (1 - p)) / n, 10);
    }),
  );
});

test.each([
  [-1, 10],
  [11, 10],
  [1.5, 10],
  [3, 10.5],
  [Number.NaN, 10],
])("wilsonInterval(%d, %d) is refused", (successes, n) => {
  expect(() => wilsonInterval(successes, n)).toThrow(StatsError);
});

test.each([0, -1.96, Number.NaN])("z = %d is refused", (z) => {
  expect(() => wilsonInterval(1, 2, { z })).toThrow(`z is ${z}.`);
});
