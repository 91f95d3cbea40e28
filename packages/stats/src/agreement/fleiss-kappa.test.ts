import fc from "fast-check";
import { expect, test } from "vitest";
import { fleissKappa } from "./fleiss-kappa.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";

/** Fleiss 1971 as it is often quoted: ten units, fourteen raters, five categories. */
const QUOTED = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

const ratingsOf = (counts: readonly number[]): number[] =>
  counts.flatMap((n, category) => Array.from({ length: n }, () => category));

test.each([
  ["ten units, fourteen raters, five categories", QUOTED.map(ratingsOf), 0.209931],
  [
    "three raters, two classes",
    ["111", "110", "000", "100", "111", "001", "000", "111", "111", "011"].map((unit) => [...unit].map(Number)),
    0.444444,
  ],
  [
    "two raters: Scott's pi",
    [
      [1, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ],
    0.466667,
  ],
])("%s", (_, units, kappa) => {
  expect(fleissKappa(units).kappa).toBeCloseTo(kappa, 6);
});

test("units with another number of ratings than most are left out and counted", () => {
  const units = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [1], [], [1, null, 1]];
  expect(fleissKappa(units)).toMatchObject({ nUnits: 3, nSkipped: 3, nRaters: 3 });
  expect(fleissKappa(units).kappa).toBe(fleissKappa(units.slice(0, 3)).kappa);
});

test("nobody to agree with, and nothing to tell apart, are no kappa", () => {
  expect(fleissKappa([[1], [0]])).toMatchObject({ kappa: null, note: "no_pairs", nRaters: null });
  expect(fleissKappa([])).toMatchObject({ kappa: null, note: "no_pairs" });
  expect(
    fleissKappa([
      [1, 1],
      [1, 1],
    ]),
  ).toMatchObject({ kappa: null, note: "one_value" });
  expect(() => fleissKappa([[1, Number.NaN]])).toThrow(expect.objectContaining({ code: "bad_value" }));
});

test("alpha is kappa with a correction of small samples", () => {
  const unit = fc.array(fc.constantFrom(0, 1, 2), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), (units) => {
      const { kappa, nUnits } = fleissKappa(units);
      const { alpha } = krippendorffAlpha(units);
      expect(alpha === null).toBe(kappa === null);
      if (kappa !== null) expect(alpha).toBeCloseTo(kappa + (1 - kappa) / (nUnits * 3), 9);
    }),
  );
});
