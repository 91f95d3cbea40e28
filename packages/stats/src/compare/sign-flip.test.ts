import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialCdf } from "../kernel/binomial.ts";
import { normalCdf } from "../kernel/normal.ts";
import { minTasksForExactTest } from "./min-tasks-for-exact-test.ts";
import { pairedTInterval } from "./paired-t-interval.ts";
import { signFlip, signFlipExact, signFlipPValue } from "./sign-flip.ts";

/** Every arrangement, in quarters so that sums are exact. */
function byCounting(quarters: readonly number[]): { p: number; midP: number } {
  const observed = Math.abs(quarters.reduce((total, step) => total + step, 0));
  let [farther, asFar] = [0, 0];
  const arrangements = 2 ** quarters.length;
  for (let signs = 0; signs < arrangements; signs++) {
    const total = Math.abs(quarters.reduce((sum, step, i) => sum + ((signs >> i) & 1 ? step : -step), 0));
    if (total > observed) farther++;
    else if (total === observed) asFar++;
  }
  return { p: (farther + asFar) / arrangements, midP: (farther + asFar / 2) / arrangements };
}

const quarters = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 10 });

test("the exact test counts every arrangement of signs", () => {
  fc.assert(
    fc.property(quarters, (steps) => {
      const { p, midP, method } = signFlip(
        steps.map((step) => step / 4),
        { inference: "strict" },
      )!;
      const counted = byCounting(steps);
      expect(method).toBe("exact");
      expect(p).toBeCloseTo(counted.p, 12);
      expect(midP).toBeCloseTo(counted.midP, 12);
    }),
  );
});

test("differences off any lattice are enumerated up to twenty, and give what the lattice gives", () => {
  fc.assert(
    fc.property(quarters, (steps) => {
      const stretched = steps.map((step) => step * Math.SQRT2);
      expect(signFlipExact(stretched)).toBeCloseTo(signFlipExact(steps)!, 12);
    }),
  );
});

const real = Array.from({ length: 24 }, (_, i) => Math.sqrt(i + 2) - 3);

test("beyond that they are drawn, and the exact function says so", () => {
  expect(signFlip(real, { inference: "strict", seed: 1 })).toEqual(signFlip(real, { inference: "strict", seed: 1 }));
  expect(signFlip(real, { inference: "strict", seed: 1 })!.method).toBe("monte_carlo");
  expect(() => signFlipExact(real)).toThrow("Use signFlipPValue");
});

test("swapping the arms, the order of tasks and tasks that did not move change nothing", () => {
  fc.assert(
    fc.property(quarters, (steps) => {
      const p = signFlipExact(steps)!;
      expect(signFlipExact(steps.map((step) => -step))).toBeCloseTo(p, 12);
      expect(signFlipExact([...steps].reverse())).toBeCloseTo(p, 12);
      expect(signFlipExact([...steps, 0, 0])).toBeCloseTo(p, 12);
    }),
  );
});

test("a p-value far below one in the number of draws: 200 tasks that all rise by as much", () => {
  expect(signFlipExact(Array(200).fill(0.25))! / 2 ** -199).toBeCloseTo(1, 9);
});

test("2,000 tasks that all rise: the p-value is 0 to a double, never NaN", () => {
  expect(signFlipExact(Array(2000).fill(1))).toBe(0);
});

test("5,000 tasks of 4 rollouts agree with the normal approximation", () => {
  // 2,600 rise by a quarter and 2,400 fall: z = 200 / √5000 = 2.83
  const diffs = Array.from({ length: 5000 }, (_, i) => (i < 2600 ? 0.25 : -0.25));
  expect(signFlipExact(diffs)).toBeCloseTo(0.00489, 4);
});

test("20,000 tasks of uneven steps are counted, not drawn", () => {
  const diffs = Array.from({ length: 20_000 }, (_, i) => ((i % 8) + 1) / (i % 200 < 102 ? 8 : -8));
  const z = diffs.reduce((total, diff) => total + diff, 0) / Math.hypot(...diffs);
  const { p, midP, method } = signFlip(diffs, { inference: "strict" })!;
  expect(method).toBe("exact");
  expect(midP).toBeCloseTo(2 * normalCdf(-Math.abs(z)), 4);
  expect(midP).toBeLessThan(p);
});

test("40,000 ones, of which 20,600 rise: the tail of a binomial", () => {
  const diffs = Array.from({ length: 40_000 }, (_, i) => (i < 20_600 ? 1 : -1));
  expect(signFlipExact(diffs)! / (2 * binomialCdf(19_400, 40_000, 0.5))).toBeCloseTo(1, 10);
});

test("the drawn p-value is never 0, and without differences there is none", () => {
  expect(signFlipPValue(Array(60).fill(1))).toBe(1 / 2001);
  expect([signFlipPValue([]), signFlipExact([]), signFlip([], { inference: "strict" })]).toEqual([null, null, null]);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY]])("a difference of %d is refused", (diff) => {
  expect(() => signFlipExact([1, diff])).toThrow("Leave out what was not measured.");
  expect(() => signFlipPValue([1, diff])).toThrow("Leave out what was not measured.");
  expect(() => pairedTInterval([1, diff])).toThrow("Leave out what was not measured.");
});

test("Student's interval needs two differences, and gives equal ones none", () => {
  expect(pairedTInterval([0.5])).toBeNull();
  expect(pairedTInterval([0.25, 0.25, 0.25])).toEqual({ delta: 0.25, se: 0, df: 2, ci95: null, pValue: null });
});

test.each([1e-6, 1e154, 1e300])("differences times %d have the same p-value, and an interval times as much", (unit) => {
  const diffs = [0.5, 0.25, -0.25, 0.5, 0.75, 0].map((diff) => diff * unit);
  const { se, pValue } = pairedTInterval(diffs)!;
  expect(se / unit).toBeCloseTo(0.15023130314433292, 12);
  expect(pValue).toBeCloseTo(0.10986650103422642, 9);
});

test("Student's p-value and interval tell the same story", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 3, maxLength: 20 }), (eighths) => {
      const { ci95, pValue } = pairedTInterval(eighths)!;
      if (ci95 !== null) expect(ci95[0] > 0 || ci95[1] < 0).toBe(pValue! < 0.05);
    }),
  );
});

test("minTasksForExactTest refuses what is no share", () => {
  expect(() => minTasksForExactTest(0)).toThrow("The level is 0.");
});
