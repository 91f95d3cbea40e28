import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrapCi } from "./bootstrap-ci.ts";

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 30 });
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

test("same seed, same answer; the values are not touched", () => {
  fc.assert(
    fc.property(shares, fc.nat(), (values, seed) => {
      const before = [...values];
      expect(bootstrapCi(values, { seed, nBoot: 50 })).toEqual(bootstrapCi(values, { seed, nBoot: 50 }));
      expect(values).toEqual(before);
    }),
    { numRuns: 30 },
  );
});

test("the interval lies within the values", () => {
  fc.assert(
    fc.property(shares, (values) => {
      const [low, high] = bootstrapCi(values, { nBoot: 50 })!;
      expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-12);
      expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-12);
    }),
    { numRuns: 30 },
  );
});

test("the mean given as a statistic draws the same resamples as the mean built in", () => {
  const values = [0.1, 0.4, 0.35, 0.8, 0.2];
  const stat = (resample: readonly number[]) => resample.reduce((a, b) => a + b) / resample.length;
  const [low, high] = bootstrapCi(values, { stat, seed: 3 })!;
  const [builtInLow, builtInHigh] = bootstrapCi(values, { seed: 3 })!;
  expect(low).toBeCloseTo(builtInLow, 14);
  expect(high).toBeCloseTo(builtInHigh, 14);
});

test("any statistic of a resample works, and its values are values of the list", () => {
  const values = [1, 2, 3, 10, 11];
  for (const end of bootstrapCi(values, { stat: median })!) expect(values).toContain(end);
});

test("what cannot be drawn from is refused", () => {
  expect(() => bootstrapCi([0, Number.NaN, 1])).toThrow("Value 1 is NaN.");
  expect(() => bootstrapCi([0, 1, 1], { nBoot: 0 })).toThrow("The number of draws is 0.");
  expect(() => bootstrapCi([0, 1, 1], { seed: 0.5 })).toThrow("The seed is 0.5.");
  expect(() => bootstrapCi([0, 1, 1], { stat: () => Number.NaN })).toThrow("stat returned NaN");
});
