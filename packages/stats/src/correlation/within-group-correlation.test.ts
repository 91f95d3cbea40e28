import fc from "fast-check";
import { expect, test } from "vitest";
import { pearson } from "./pearson.ts";
import { withinGroupCorrelation } from "./within-group-correlation.ts";

const points = fc.array(
  fc.tuple(fc.constantFrom("a", "b", "__proto__"), fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })),
  { minLength: 3 },
);

test("what is the same for a whole group does not move it", () => {
  fc.assert(
    fc.property(points, (list) => {
      const groups = list.map(([group]) => group);
      const x = list.map(([, a]) => a);
      const y = list.map(([, , b]) => b);
      const shift = (value: number, i: number) => value + 100 * groups[i]!.length;
      const { within } = withinGroupCorrelation(groups, x, y);
      const shifted = withinGroupCorrelation(groups, x.map(shift), y.map(shift)).within;
      if (within === null) expect(shifted).toBeNull();
      else expect(shifted).toBeCloseTo(within, 10);
    }),
  );
});

test("one group is Pearson's", () => {
  fc.assert(
    fc.property(points, (list) => {
      const x = list.map(([, a]) => a);
      const y = list.map(([, , b]) => b);
      const { within, pooled } = withinGroupCorrelation(
        list.map(() => "all"),
        x,
        y,
      );
      expect(pooled).toBe(pearson(x, y));
      if (pooled === null) expect(within).toBeNull();
      else expect(within).toBeCloseTo(pooled, 12);
    }),
  );
});

test("no spread within groups is not measured; the Python SDK says 0", () => {
  const point = [
    ["a", "a", "a", "b"],
    [0.1, 0.1, 0.1, 5],
    [0, 1, 0, 1],
  ] as const;
  expect(withinGroupCorrelation(...point)).toMatchObject({ within: null, nGroups: 2, n: 4 });
  expect(withinGroupCorrelation(...point, { inference: "compat" })).toMatchObject({ within: 0 });
  // Means of 0.1 + 0.2 and 0.3 differ in the last bit, and nothing else does.
  expect(withinGroupCorrelation(["a", "a", "a"], [0.3, 0.1 + 0.2, 0.3], [1, 2, 3]).within).toBeNull();
});

test("lists of different lengths are refused", () => {
  expect(() => withinGroupCorrelation(["a"], [1, 2], [1, 2])).toThrow("1 groups, 2 and 2 values");
  expect(() => withinGroupCorrelation(["a"], [Number.NaN], [1])).toThrow("NaN");
});
