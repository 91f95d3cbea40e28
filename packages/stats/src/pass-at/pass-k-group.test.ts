import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import { passAtKGroup, passPowKGroup } from "./pass-k-group.ts";

const group = fc.integer({ min: 1, max: 40 }).chain((n) => fc.tuple(fc.constant(n), fc.nat(n)));

test("k = 1 is the pass rate, both ways", () => {
  fc.assert(
    fc.property(group, ([n, c]) => {
      expect(passAtKGroup(n, c, 1)).toBeCloseTo(c / n, 14);
      expect(passPowKGroup(n, c, 1)).toBeCloseTo(c / n, 14);
    }),
  );
});

test("more rollouts never lower pass@k nor raise pass^k; both are shares", () => {
  fc.assert(
    fc.property(group, ([n, c]) => {
      for (let k = 2; k <= n; k++) {
        expect(passAtKGroup(n, c, k)).toBeGreaterThanOrEqual(passAtKGroup(n, c, k - 1)! - 1e-14);
        expect(passPowKGroup(n, c, k)).toBeLessThanOrEqual(passPowKGroup(n, c, k - 1)! + 1e-14);
        expect(passAtKGroup(n, c, k)).toBeLessThanOrEqual(1);
        expect(passPowKGroup(n, c, k)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test("none of k passing is all of k failing", () => {
  fc.assert(
    fc.property(group, fc.integer({ min: 1, max: 40 }), ([n, c], k) => {
      const all = passPowKGroup(n, n - c, k);
      expect(passAtKGroup(n, c, k)).toEqual(all === null ? null : expect.closeTo(1 - all, 13));
    }),
  );
});

test("a million rollouts work", () => {
  expect(passAtKGroup(1_000_000, 500_000, 10)).toBeCloseTo(1 - 0.5 ** 10, 6);
});

test.each([
  [4, 2, 2.5],
  [4, 2, 0],
  [4, 2, Number.NaN],
  [4, 5, 1],
  [4, -1, 1],
  [4.5, 1, 1],
])("passAtKGroup(%d, %d, %d) is refused", (n, c, k) => {
  expect(() => passAtKGroup(n, c, k)).toThrow(StatsError);
  expect(() => passPowKGroup(n, c, k)).toThrow(StatsError);
});
