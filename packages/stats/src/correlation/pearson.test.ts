import fc from "fast-check";
import { expect, test } from "vitest";
import { pearson } from "./pearson.ts";

const points = fc.array(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 })), {
  minLength: 3,
});

test("it is symmetric, at most 1 in size, and blind to scale and offset", () => {
  fc.assert(
    fc.property(points, (pairs) => {
      const x = pairs.map(([a]) => a);
      const y = pairs.map(([, b]) => b);
      const r = pearson(x, y);
      if (r === null) return;
      expect(Math.abs(r)).toBeLessThanOrEqual(1);
      expect(pearson(y, x)).toBeCloseTo(r, 12);
      expect(
        pearson(
          x,
          y.map((b) => 3 - 2 * b),
        ),
      ).toBeCloseTo(-r, 10);
    }),
  );
});

test("a side that differs by rounding alone is constant", () => {
  expect(pearson([0.3, 0.1 + 0.2, 0.3], [1, 2, 3])).toBeNull();
  expect(pearson([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull();
});

test("a value that is no number is refused: r would be NaN", () => {
  expect(() => pearson([1, Number.NaN, 3], [1, 2, 3])).toThrow("NaN");
});
