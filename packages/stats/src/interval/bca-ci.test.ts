import fc from "fast-check";
import { expect, test } from "vitest";
import { bcaCi } from "./bca-ci.ts";
import { bootstrapCi } from "./bootstrap-ci.ts";

const quarters = fc.integer({ min: 0, max: 4 }).map((passes) => passes / 4);
const values = fc.array(quarters, { minLength: 3, maxLength: 40 });

test("it lies within the values, contains their mean, and mirrors", () => {
  fc.assert(
    fc.property(values, (list) => {
      const report = bcaCi(list);
      if (new Set(list).size === 1) {
        expect(report).toBeNull();
        return;
      }
      const { z0, acceleration, ci95 } = report!;
      const mean = list.reduce((a, b) => a + b, 0) / list.length;
      expect(ci95[0]).toBeGreaterThanOrEqual(Math.min(...list));
      expect(ci95[1]).toBeLessThanOrEqual(Math.max(...list));
      expect(ci95[0]).toBeLessThanOrEqual(mean + 1e-12);
      expect(ci95[1]).toBeGreaterThanOrEqual(mean - 1e-12);
      expect(Math.abs(acceleration)).toBeLessThanOrEqual(1 / 6);
      const mirror = bcaCi(list.map((value) => 1 - value))!;
      expect(mirror.z0).toBeCloseTo(-z0, 9);
      expect(mirror.acceleration).toBeCloseTo(-acceleration, 9);
    }),
  );
});

test("units move it with the values", () => {
  const list = [0, 0.25, 0.5, 0.25, 0, 1];
  const { ci95, z0 } = bcaCi(list)!;
  const scaled = bcaCi(list.map((value) => 40 * value - 7))!;
  expect(scaled.z0).toBeCloseTo(z0, 12);
  for (const i of [0, 1] as const) expect(scaled.ci95[i]).toBeCloseTo(40 * ci95[i] - 7, 9);
});

test("a long tail to the right takes both ends to the right of the percentile interval", () => {
  // Off any lattice, as costs are.
  const costs = Array.from({ length: 40 }, (_, i) => Math.exp((i * Math.SQRT2) % 3));
  const { ci95, method, acceleration } = bcaCi(costs)!;
  const [low, high] = bootstrapCi(costs, { nBoot: 20_000, seed: 1 })!;
  expect(method).toBe("binned");
  expect(acceleration).toBeGreaterThan(0);
  expect(ci95[0]).toBeGreaterThan(low);
  expect(ci95[1]).toBeGreaterThan(high);
});

test("under three values there is none, and what is no number is refused", () => {
  expect(bcaCi([0, 1])).toBeNull();
  expect(() => bcaCi([0, 1, Number.NaN])).toThrow("NaN");
});
