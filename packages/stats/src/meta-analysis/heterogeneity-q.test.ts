import fc from "fast-check";
import { expect, test } from "vitest";
import { heterogeneityQ } from "./heterogeneity-q.ts";

const effects = fc.array(
  fc.record({ delta: fc.integer({ min: -100, max: 100 }), se: fc.integer({ min: 1, max: 50 }) }),
  { minLength: 2, maxLength: 12 },
);

test("a common shift moves the pooled change alone; a common unit moves no p-value", () => {
  fc.assert(
    fc.property(effects, (groups) => {
      const report = heterogeneityQ(groups)!;
      const shifted = heterogeneityQ(groups.map(({ delta, se }) => ({ delta: delta + 7, se })))!;
      expect(shifted.pooled).toBeCloseTo(report.pooled + 7, 9);
      expect(shifted.q).toBeCloseTo(report.q, 6);
      const points = heterogeneityQ(groups.map(({ delta, se }) => ({ delta: delta / 100, se: se / 100 })))!;
      expect(points.pValue).toBeCloseTo(report.pValue, 9);
      expect(report.i2).toBeGreaterThanOrEqual(0);
      expect(report.i2).toBeLessThan(1);
    }),
  );
});

test("two groups are the z test of their difference", () => {
  const { q, pooled } = heterogeneityQ([
    { delta: 0.3, se: 0.1 },
    { delta: 0.1, se: 0.1 },
  ])!;
  expect(q).toBeCloseTo((0.2 / Math.hypot(0.1, 0.1)) ** 2, 12);
  expect(pooled).toBeCloseTo(0.2, 12);
});

test("groups that moved alike", () => {
  expect(
    heterogeneityQ([
      { delta: 0.5, se: 0.1 },
      { delta: 0.5, se: 0.2 },
    ]),
  ).toEqual({
    pooled: 0.5,
    q: 0,
    df: 1,
    pValue: 1,
    i2: 0,
  });
});

test("one group has nothing to differ from, and a group without a standard error is refused", () => {
  expect(heterogeneityQ([{ delta: 0.5, se: 0.1 }])).toBeNull();
  expect(() => heterogeneityQ([{ delta: 0.5, se: 0 }])).toThrow("standard error 0");
});
