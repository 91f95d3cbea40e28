import fc from "fast-check";
import { expect, test } from "vitest";
import { cohenKappa } from "./cohen-kappa.ts";
import { matthewsCorrelation } from "./matthews-correlation.ts";
import { scottPi } from "./scott-pi.ts";
import { weightedKappa } from "./weighted-kappa.ts";

const JUDGE = [1, 2, 3, 4, 5, 3, 2, 4, 5, 1];
const HUMAN = [1, 3, 3, 4, 4, 3, 2, 5, 5, 2];

test.each([
  ["linear", 0.736842],
  ["quadratic", 0.888889],
  // Exact rationals by Gwet's table of weights, 1 - C(distance + 1, 2) / C(5, 2).
  ["ordinal", 0.84375],
  ["none", 0.5],
] as const)("ratings of 1 to 5 with %s weights", (weights, kappa) => {
  const report = weightedKappa(JUDGE, HUMAN, { weights, categories: [1, 2, 3, 4, 5] });
  expect(report).toMatchObject({ n: 10, nSkipped: 0, agreement: 0.6, weights });
  expect(report.kappa).toBeCloseTo(kappa, 6);
});

test("a rating on one side alone is skipped, and a class throughout has no kappa", () => {
  expect(weightedKappa([1, null, 2], [1, 2, null])).toMatchObject({ n: 1, nSkipped: 2, kappa: null });
  expect(weightedKappa([], [])).toMatchObject({ n: 0, agreement: null, kappa: null });
});

test.each([
  [() => weightedKappa([1], []), "bad_value"],
  [() => weightedKappa([6], [1], { categories: [1, 2] }), "bad_value"],
  [() => weightedKappa([1], [1], { weights: "cubic" as never }), "bad_option"],
])("a wrong call is refused", (call, code) => {
  expect(call).toThrow(expect.objectContaining({ code }));
});

const tables = fc.record({ tp: fc.nat(30), fp: fc.nat(30), fn: fc.nat(30), tn: fc.nat(30) });
const listed = ({ tp, fp, fn, tn }: { tp: number; fp: number; fn: number; tn: number }) => ({
  judge: [...Array(tp + fp).fill(1), ...Array(fn + tn).fill(0)],
  gold: [...Array(tp).fill(1), ...Array(fp).fill(0), ...Array(fn).fill(1), ...Array(tn).fill(0)],
});

test("of two classes it is Cohen's kappa, whatever the weights", () => {
  fc.assert(
    fc.property(tables, fc.constantFrom("none", "linear", "ordinal", "quadratic"), (table, weights) => {
      const { judge, gold } = listed(table);
      const { kappa } = weightedKappa(judge, gold, { weights: weights as "none", categories: [0, 1] });
      const cohen = cohenKappa(table);
      if (cohen === null || kappa === null) expect(kappa).toBe(cohen);
      else expect(kappa).toBeCloseTo(cohen, 10);
    }),
  );
});

test.each([
  // tp, fp, fn, tn, correlation, pi
  [124, 58, 24, 15, 0.053442, 0.019372],
  [679, 88, 137, 581, 0.697507, 0.695644],
  [25, 25, 25, 25, 0, 0],
  [10, 0, 0, 10, 1, 1],
  [18, 0, 2, 0, null, -0.052632],
  [30, 20, 0, 0, null, -0.25],
  [20, 0, 0, 0, null, null],
  [0, 0, 0, 0, null, null],
])("correlation and pi of %i, %i, %i, %i", (tp, fp, fn, tn, correlation, pi) => {
  const close = (value: number | null) => (value === null ? null : Number(value.toFixed(6)));
  expect(close(matthewsCorrelation({ tp, fp, fn, tn }))).toBe(correlation);
  expect(close(scottPi({ tp, fp, fn, tn }))).toBe(pi);
});

test("the correlation has the sign of kappa and is no smaller, and pi is no larger", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const kappa = cohenKappa(table);
      const pi = scottPi(table);
      const correlation = matthewsCorrelation(table);
      if (kappa !== null && pi !== null) expect(pi).toBeLessThanOrEqual(kappa + 1e-12);
      if (kappa !== null && correlation !== null) {
        expect(Math.abs(correlation)).toBeGreaterThanOrEqual(Math.abs(kappa) - 1e-12);
      }
    }),
  );
});
