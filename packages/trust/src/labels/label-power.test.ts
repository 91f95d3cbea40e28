import { binomialCdf } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { labelBudget } from "./label-budget.ts";
import { labelPower } from "./label-power.ts";

test("sixteen of sixteen clear 0.8, and fifteen of fifteen do not", () => {
  const curve = labelPower({ agreement: 0.9, floor: 0.8, upTo: 20 });
  expect(curve[14]).toEqual([15, 0]);
  expect(curve[15]![0]).toBe(16);
  expect(curve[15]![1]).toBeCloseTo(0.9 ** 16, 12);
});

test("54 labels clear the floor in a bit more than half of all tries, though 18 of 20 asks for them", () => {
  const [, chance] = labelPower({ agreement: 0.9, floor: 0.8, upTo: 54 })[53]!;
  // Wilson's lower bound of 49 of 54 is 0.801 and that of 48 is 0.778.
  expect(chance).toBeCloseTo(1 - binomialCdf(48, 54, 0.9), 12);
  expect(chance).toBeCloseTo(0.54, 2);
});

test("labelBudget is the first number from which on the curve stays over the power", () => {
  fc.assert(
    fc.property(fc.integer({ min: 83, max: 99 }), (percent) => {
      const agreement = percent / 100;
      const { n } = labelBudget({ agreement, floor: 0.8, maxLabels: 1000 });
      if (n === null) return;
      const curve = labelPower({ agreement, floor: 0.8, upTo: n + 5 });
      for (const [, chance] of curve.slice(n - 1)) expect(chance).toBeGreaterThanOrEqual(0.8);
      expect(curve[n - 2]![1]).toBeLessThan(0.8);
    }),
    { numRuns: 20 },
  );
});

test.each([
  [{ agreement: 1.1, floor: 0.8, upTo: 5 }, /agreement 1\.1/],
  [{ agreement: 0.9, floor: -1, upTo: 5 }, /floor -1/],
  [{ agreement: 0.9, floor: 0.8, upTo: 0 }, /upTo 0/],
])("%j is refused", (input, message) => {
  expect(() => labelPower(input)).toThrow(message);
});

test("without a floor the first label will do", () => {
  expect(labelPower({ agreement: 0.5, floor: 0, upTo: 1 })).toEqual([[1, 1]]);
});
