import fc from "fast-check";
import { expect, test } from "vitest";
import { nonInferiority } from "./non-inferiority.ts";
import { tostPaired } from "./tost-paired.ts";

const steps = fc.integer({ min: -8, max: 8 }).map((step) => step / 8);
const diffs = fc.array(steps, { minLength: 2, maxLength: 20 });
const margins = fc.integer({ min: 1, max: 40 }).map((percent) => percent / 100);

test("equivalent is the 90% interval inside the margin, and no drop of the margin is its lower end", () => {
  fc.assert(
    fc.property(diffs, margins, (list, margin) => {
      const tost = tostPaired(list, margin)!;
      const guard = nonInferiority(list, margin)!;
      expect(guard.lower95).toBe(tost.ci90[0]);
      expect(guard.pValue).toBe(tost.pLower);
      if (tost.se === 0) return;
      expect(tost.equivalent).toBe(tost.ci90[0] > -margin && tost.ci90[1] < margin);
      expect(guard.nonInferior).toBe(guard.pValue < 0.05);
    }),
  );
});

test("turning every difference swaps the two tests", () => {
  fc.assert(
    fc.property(diffs, margins, (list, margin) => {
      const tost = tostPaired(list, margin)!;
      const turned = tostPaired(
        list.map((diff) => -diff),
        margin,
      )!;
      expect(turned.pLower).toBeCloseTo(tost.pUpper, 12);
      expect(turned.pUpper).toBeCloseTo(tost.pLower, 12);
      expect(turned.equivalent).toBe(tost.equivalent);
    }),
  );
});

test("a wider margin is never harder to prove", () => {
  fc.assert(
    fc.property(diffs, margins, (list, margin) => {
      expect(tostPaired(list, 2 * margin)!.pValue).toBeLessThanOrEqual(tostPaired(list, margin)!.pValue);
      expect(nonInferiority(list, 2 * margin)!.pValue).toBeLessThanOrEqual(nonInferiority(list, margin)!.pValue);
    }),
  );
});

test("differences that are all equal prove no equivalence, and still show a drop", () => {
  expect(tostPaired([0, 0, 0], 0.05)).toMatchObject({ equivalent: null, note: "no_spread", ci90: [0, 0] });
  expect(nonInferiority([0, 0, 0], 0.05)).toMatchObject({ nonInferior: null, note: "no_spread" });
  expect(tostPaired([-0.1, -0.1], 0.05)).toMatchObject({ equivalent: false, pLower: 1, pUpper: 0, note: null });
  expect(nonInferiority([-0.1, -0.1], 0.05)).toMatchObject({ nonInferior: false, note: null });
});

test("one difference has no spread to judge by", () => {
  expect(tostPaired([0], 0.05)).toBeNull();
  expect(nonInferiority([], 0.05)).toBeNull();
});

test.each([tostPaired, nonInferiority])("margin and differences are checked", (of) => {
  expect(() => of([0, 1], 0)).toThrow("got the margin 0");
  expect(() => of([0, 1], Number.NaN)).toThrow("NaN");
  expect(() => of([0, Number.NaN], 0.1)).toThrow("Value 1 is NaN");
});
