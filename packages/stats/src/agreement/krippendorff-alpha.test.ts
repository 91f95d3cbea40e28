import fc from "fast-check";
import { expect, test } from "vitest";
import { cohenKappa } from "./cohen-kappa.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";

// Four raters, twelve units, five values, missing ratings: the worked example of Krippendorff 2011.
const RATERS = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
  [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
];
const UNITS = RATERS[0]!.map((_, unit) => RATERS.map((ratings) => ratings[unit]!));

test.each([
  ["nominal", 0.743],
  ["ordinal", 0.815],
  ["interval", 0.849],
] as const)("the published example, %s, is %d", (level, expected) => {
  const { alpha, nUnits, nSkipped, nRatings } = krippendorffAlpha(UNITS, { level });
  expect(alpha).toBeCloseTo(expected, 3);
  expect({ nUnits, nSkipped, nRatings }).toEqual({ nUnits: 11, nSkipped: 1, nRatings: 40 });
});

const units = fc.array(fc.array(fc.option(fc.nat(4)), { maxLength: 5 }), { maxLength: 20 });

test("two values: the three levels agree", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.option(fc.nat(1)), { maxLength: 4 })), (given) => {
      const nominal = krippendorffAlpha(given).alpha;
      for (const level of ["ordinal", "interval"] as const) {
        const { alpha } = krippendorffAlpha(given, { level });
        if (nominal === null) expect(alpha).toBeNull();
        else expect(alpha).toBeCloseTo(nominal, 10);
      }
    }),
  );
});

test("neither the order of units nor that of raters matters, and 1 is agreement in every unit", () => {
  fc.assert(
    fc.property(units, fc.constantFrom("nominal", "ordinal", "interval"), (given, level) => {
      const { alpha, ...counts } = krippendorffAlpha(given, { level });
      const turned = krippendorffAlpha(given.map((unit) => [...unit].reverse()).reverse(), { level });
      if (alpha === null) {
        expect(turned).toEqual({ alpha, ...counts });
        return;
      }
      expect(turned.alpha).toBeCloseTo(alpha, 12);
      expect(alpha).toBeLessThanOrEqual(1);
      const unanimous = given.every((unit) => new Set(unit.filter((value) => value !== null)).size <= 1);
      expect(alpha === 1).toBe(unanimous);
    }),
  );
});

test("interval is blind to scale and offset, ordinal to any growing rescaling", () => {
  fc.assert(
    fc.property(units, (given) => {
      const by = (f: (value: number) => number) => given.map((unit) => unit.map((v) => (v === null ? null : f(v))));
      const near = (a: number | null, b: number | null) =>
        a === null ? expect(b).toBeNull() : expect(b).toBeCloseTo(a, 10);
      near(
        krippendorffAlpha(given, { level: "interval" }).alpha,
        krippendorffAlpha(
          by((v) => 3 - v / 2),
          { level: "interval" },
        ).alpha,
      );
      near(
        krippendorffAlpha(given, { level: "ordinal" }).alpha,
        krippendorffAlpha(by(Math.exp), { level: "ordinal" }).alpha,
      );
    }),
  );
});

test("two raters and many rows: alpha comes to kappa when both pass equally often", () => {
  const unit = (a: number, b: number, n: number) => Array.from({ length: n }, () => [a, b]);
  const { alpha } = krippendorffAlpha([
    ...unit(1, 1, 4500),
    ...unit(1, 0, 800),
    ...unit(0, 1, 800),
    ...unit(0, 0, 3900),
  ]);
  expect(alpha).toBeCloseTo(cohenKappa({ tp: 4500, fp: 800, fn: 800, tn: 3900 })!, 4);
});

test("what has nothing to agree on is null and says why", () => {
  expect(krippendorffAlpha([])).toMatchObject({ alpha: null, note: "no_pairs" });
  expect(krippendorffAlpha([[1, null], [0]])).toMatchObject({ alpha: null, nSkipped: 2, note: "no_pairs" });
  expect(krippendorffAlpha([[1, 1], [1, 1, 1], [0]])).toMatchObject({ alpha: null, nRatings: 5, note: "one_value" });
});

test("a rating that is no number and an unknown level are refused", () => {
  expect(() => krippendorffAlpha([[1, Number.NaN]])).toThrow("A rating is NaN.");
  expect(() => krippendorffAlpha([], { level: "ratio" as "nominal" })).toThrow('level is "ratio".');
});
