import fc from "fast-check";
import { expect, test } from "vitest";
import { cohenKappa } from "./cohen-kappa.ts";
import type { Confusion } from "./confusion.ts";
import { gwetAc1 } from "./gwet-ac1.ts";
import { kappaStandardError } from "./kappa-standard-error.ts";
import { pabak } from "./pabak.ts";

const SLACK = 1e-12;
const tables = fc.record({ tp: fc.nat(50), fp: fc.nat(50), fn: fc.nat(50), tn: fc.nat(50) });
const swapSides = ({ tp, fp, fn, tn }: Confusion) => ({ tp, fp: fn, fn: fp, tn });
const swapClasses = ({ tp, fp, fn, tn }: Confusion) => ({ tp: tn, fp: fn, fn: fp, tn: tp });

test.each([cohenKappa, gwetAc1, pabak])("it does not matter who is gold, nor which class is called pass", (of) => {
  fc.assert(
    fc.property(tables, (table) => {
      const value = of(table);
      for (const swapped of [swapSides(table), swapClasses(table)]) {
        if (value === null) expect(of(swapped)).toBeNull();
        else expect(of(swapped)).toBeCloseTo(value, 12);
      }
      if (value === null) return;
      expect(Math.abs(value)).toBeLessThanOrEqual(1 + SLACK);
      expect(value === 1).toBe(table.fp + table.fn === 0);
    }),
  );
});

test("balanced classes on both sides: kappa, AC1 and PABAK are one number", () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), (same, other) => {
      const table = { tp: same, fp: other, fn: other, tn: same };
      fc.pre(same + other > 0);
      expect(cohenKappa(table)).toBeCloseTo(pabak(table)!, 12);
      expect(gwetAc1(table)).toBeCloseTo(pabak(table)!, 12);
    }),
  );
});

test("independent raters have kappa 0", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(30), fc.nat(30), fc.nat(30), (a, b, c, d) => {
      const table = { tp: a * c, fp: a * d, fn: b * c, tn: b * d };
      const kappa = cohenKappa(table);
      if (kappa !== null) expect(kappa).toBeCloseTo(0, 12);
    }),
  );
});

test("one class on both sides is no evidence: null, and 1 by the rules of the Python SDK", () => {
  for (const table of [
    { tp: 30, fp: 0, fn: 0, tn: 0 },
    { tp: 0, fp: 0, fn: 0, tn: 12 },
  ]) {
    expect(cohenKappa(table)).toBeNull();
    expect(kappaStandardError(table)).toBeNull();
    expect(cohenKappa(table, { inference: "compat" })).toBe(1);
    expect(gwetAc1(table)).toBe(1);
  }
});

test("four times the labels halve the standard errors", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const once = kappaStandardError(table);
      if (once === null) return;
      const four = kappaStandardError({ tp: 4 * table.tp, fp: 4 * table.fp, fn: 4 * table.fn, tn: 4 * table.tn })!;
      expect(four.kappa).toBeCloseTo(once.kappa, 12);
      expect(four.se).toBeCloseTo(once.se / 2, 7);
      expect(four.seNull).toBeCloseTo(once.seNull / 2, 7);
      expect(once.ci95[0]).toBeLessThanOrEqual(once.kappa + SLACK);
      expect(once.ci95[1]).toBeGreaterThanOrEqual(once.kappa - SLACK);
    }),
  );
});

test("the standard error is the delta method of the cells", () => {
  // Slope of kappa against each cell count, by central differences over a table large enough not to be whole.
  const table = { tp: 450_000, fp: 50_000, fn: 100_000, tn: 400_000 };
  const n = 1_000_000;
  const cells = ["tp", "fp", "fn", "tn"] as const;
  const slopes = cells.map((cell) => {
    const step = 1000;
    const at = (by: number) => cohenKappa({ ...table, [cell]: table[cell] + by })!;
    return (at(step) - at(-step)) / (2 * step);
  });
  const variance =
    cells.reduce((total, cell, i) => total + slopes[i]! ** 2 * table[cell], 0) -
    cells.reduce((total, cell, i) => total + slopes[i]! * table[cell], 0) ** 2 / n;
  expect(kappaStandardError(table)!.se / Math.sqrt(variance)).toBeCloseTo(1, 5);
});

test.each([cohenKappa, gwetAc1, pabak, kappaStandardError])("counts are checked, and no labels give null", (of) => {
  expect(of({ tp: 0, fp: 0, fn: 0, tn: 0 })).toBeNull();
  expect(() => of({ tp: 1, fp: -1, fn: 0, tn: 0 })).toThrow("The confusion table has fp -1.");
  expect(() => of({ tp: 1, fp: 0, fn: 0, tn: 0.5 })).toThrow("tn 0.5");
});
