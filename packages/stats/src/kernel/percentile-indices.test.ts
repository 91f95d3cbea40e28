import fc from "fast-check";
import { expect, test } from "vitest";
import { percentileIndices } from "./percentile-indices.ts";

test("the two ends lie inside the draws, the lower one first", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), fc.integer({ min: 1, max: 1e6 }), (level, draws) => {
      const [low, high] = percentileIndices(level, draws);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThan(draws);
      if (draws > 200) expect(low).toBeLessThanOrEqual(high);
    }),
  );
});

test.each([0, 2.5, -1, Number.NaN])("%d draws are refused", (draws) => {
  expect(() => percentileIndices(0.95, draws)).toThrow(`The number of draws is ${draws}.`);
});
