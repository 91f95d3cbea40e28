import fc from "fast-check";
import { expect, test } from "vitest";
import { pearson } from "./pearson.ts";
import { spearman } from "./spearman.ts";

const points = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), { minLength: 3 });

test("any growing curve keeps it, a falling one turns it", () => {
  fc.assert(
    fc.property(points, (pairs) => {
      const x = pairs.map(([a]) => a);
      const y = pairs.map(([, b]) => b);
      const r = spearman(x, y);
      if (r === null) return;
      expect(Math.abs(r)).toBeLessThanOrEqual(1);
      expect(spearman(y, x)).toBeCloseTo(r, 12);
      expect(spearman(x.map(Math.exp), y)).toBeCloseTo(r, 12);
      expect(
        spearman(
          x,
          y.map((b) => -(b ** 3)),
        ),
      ).toBeCloseTo(-r, 12);
    }),
  );
});

test("without ties it is 1 - 6 Σd² / (n³ - n)", () => {
  const n = 7;
  fc.assert(
    fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: n, maxLength: n }), (y) => {
      const squares = y.reduce((total, rank, i) => total + (rank - (i + 1)) ** 2, 0);
      expect(spearman([1, 2, 3, 4, 5, 6, 7], y)).toBeCloseTo(1 - (6 * squares) / (n ** 3 - n), 12);
    }),
  );
});

test("one extreme point carries Pearson's, not this", () => {
  const x = [1, 2, 3, 4, 1000];
  const y = [4, 3, 2, 1, 1000];
  expect(pearson(x, y)).toBeGreaterThan(0.99);
  expect(spearman(x, y)).toBeCloseTo(0, 12);
});

test("what has no ranks is null or refused", () => {
  expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull();
  expect(spearman([1, 2], [1, 2])).toBeNull();
  expect(() => spearman([1, Number.NaN, 3], [1, 2, 3])).toThrow("Value 1 is NaN");
});
