import fc from "fast-check";
import { expect, test } from "vitest";
import { exactBootstrapCi } from "./exact-bootstrap-ci.ts";
import { expandedPercentileCi } from "./expanded-percentile-ci.ts";

const rates = fc.array(
  fc.nat(8).map((c) => c / 8),
  { minLength: 3, maxLength: 60 },
);
const reals = fc.array(fc.double({ min: -3, max: 5, noNaN: true }), { minLength: 3, maxLength: 60 });

test("it contains the mean and the percentile interval, and stays within the values", () => {
  fc.assert(
    fc.property(rates, (values) => {
      const [low, high] = expandedPercentileCi(values)!.ci95;
      const [innerLow, innerHigh] = exactBootstrapCi(values)!;
      const mean = values.reduce((a, b) => a + b) / values.length;
      expect(low).toBeLessThanOrEqual(Math.min(innerLow, mean + 1e-12));
      expect(high).toBeGreaterThanOrEqual(Math.max(innerHigh, mean - 1e-12));
      expect(low).toBeGreaterThanOrEqual(Math.min(...values));
      expect(high).toBeLessThanOrEqual(Math.max(...values));
    }),
  );
});

test("the order of the values does not matter", () => {
  fc.assert(
    fc.property(reals, (values) => {
      const [low, high] = expandedPercentileCi(values)!.ci95;
      const [reversedLow, reversedHigh] = expandedPercentileCi(values.toReversed())!.ci95;
      expect(reversedLow).toBeCloseTo(low, 12);
      expect(reversedHigh).toBeCloseTo(high, 12);
    }),
    { numRuns: 30 },
  );
});

test("values on no lattice come out within a grid step of values a hair away that are on one", () => {
  fc.assert(
    fc.property(rates, fc.nat(1000), (values, salt) => {
      // Irrational by less than 1e-6, so the answer may not move by more than that and a grid step, 1/500 of 1.
      const moved = values.map((value, i) => value + 1e-6 * Math.abs(Math.sin(salt + i)));
      const { ci95, method } = expandedPercentileCi(moved)!;
      const exact = expandedPercentileCi(values)!;
      expect(method).toBe("binned");
      expect(Math.abs(ci95[0] - exact.ci95[0])).toBeLessThan(1 / 500);
      expect(Math.abs(ci95[1] - exact.ci95[1])).toBeLessThan(1 / 500);
    }),
    { numRuns: 15 },
  );
});

test("a long run of real values reads as the normal interval does", () => {
  const values = Array.from({ length: 20_000 }, (_, i) => Math.sin(i) + (i % 3));
  const mean = values.reduce((a, b) => a + b) / values.length;
  const se = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0)) / values.length;
  const [low, high] = expandedPercentileCi(values)!.ci95;
  expect((low - mean) / se).toBeCloseTo(-1.96, 2);
  expect((high - mean) / se).toBeCloseTo(1.96, 2);
});

test("two values have no interval", () => {
  expect(expandedPercentileCi([0, 1])).toBeNull();
});
