import fc from "fast-check";
import { expect, test } from "vitest";
import { lossByTaskP } from "./loss-by-task.ts";

const tasks = (lost: readonly number[], rollouts = 4) => lost.map((n) => ({ lost: n, rollouts }));

test.each<[string, number[], number | null]>([
  ["nothing is lost", [0, 0, 0], null],
  ["one is", [1, 0, 0], null],
  ["all are", [4, 4, 4], null],
  ["there is one task", [2], null],
])("nothing is said where %s", (_what, lost, expected) => {
  expect(lossByTaskP(tasks(lost))).toBe(expected);
});

test("two losses of one of two tasks with two rollouts each: in two of six arrangements", () => {
  // Exactly 1/3: the pairs {1,2} and {3,4} of the six.
  expect(lossByTaskP(tasks([2, 0], 2))).toBeCloseTo(1 / 3, 1);
});

test("losses in one task of twenty are no chance, and those spread out say nothing", () => {
  expect(lossByTaskP(tasks([4, ...Array.from({ length: 19 }, () => 0)]))).toBeLessThan(0.01);
  expect(lossByTaskP(tasks(Array.from({ length: 20 }, (_, at) => (at < 4 ? 1 : 0))))).toBeGreaterThan(0.5);
});

test("is a chance above 0, the same for any order of the tasks up to its draws", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: 2, maxLength: 12 }), (lost) => {
      const p = lossByTaskP(tasks(lost));
      const other = lossByTaskP(tasks([...lost].reverse()));
      if (p === null || other === null) {
        expect([p, other]).toEqual([null, null]);
        return;
      }
      expect(p).toBeGreaterThan(0);
      expect(p).toBeLessThanOrEqual(1);
      // Six standard errors of 999 arrangements.
      expect(Math.abs(p - other)).toBeLessThan(0.2);
    }),
    { numRuns: 20 },
  );
});
