import fc from "fast-check";
import { expect, test } from "vitest";
import { effectiveRaters } from "./effective-raters.ts";

type Errors = (0 | 1)[];
const BAD: Errors = [1, 0, 0, 1, 0, 0, 1, 0];

test("raters that err on some of the same units", () => {
  const report = effectiveRaters([BAD, [1, 0, 0, 1, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 0, 0]]);
  expect(report).toMatchObject({ nRaters: 3, nUnits: 8, nSkipped: 0, note: null });
  // Exact rationals: three times the variances over all covariances; the mean of three phi coefficients.
  expect(report.nEffective).toBeCloseTo(1.647887323943662, 12);
  expect(report.meanCorrelation).toBeCloseTo(0.4092535081110831, 12);
  expect(report.ci95![0]).toBeGreaterThanOrEqual(1);
  expect(report.ci95![1]).toBeLessThanOrEqual(3);
});

test("a rater three times is one rater", () => {
  const report = effectiveRaters([BAD, BAD, BAD]);
  expect(report.nEffective).toBeCloseTo(1, 12);
  expect(report.meanCorrelation).toBeCloseTo(1, 12);
});

test("raters whose errors are independent are as many as they are, and no more where errors cancel out", () => {
  expect(
    effectiveRaters([
      [1, 1, 0, 0],
      [1, 0, 1, 0],
    ]).nEffective,
  ).toBeCloseTo(2, 12);
  expect(
    effectiveRaters([
      [1, 1, 0, 0],
      [0, 0, 1, 1],
    ]).nEffective,
  ).toBe(2);
});

test.each([
  [[BAD], "few_raters"],
  [[[], []], "no_units"],
  [[[null, 1] as const, [0, null] as const], "no_units"],
  [
    [
      [0, 0],
      [0, 0],
    ] as const,
    "no_errors",
  ],
])("what has no number says why", (errors, note) => {
  expect(effectiveRaters(errors as never)).toMatchObject({ nEffective: null, ci95: null, note });
});

test("units of one cluster are one draw", () => {
  const other: Errors = [1, 0, 0, 0, 0, 1, 1, 0];
  const four = (own: Errors): Errors => own.flatMap((error) => [error, error, error, error]);
  const clusters = BAD.flatMap((_, i) => Array(4).fill(`t${i}`) as string[]);
  const once = effectiveRaters([BAD, other]);
  const copied = effectiveRaters([four(BAD), four(other)], { clusters });
  expect(copied.nEffective).toBeCloseTo(once.nEffective!, 12);
  expect(copied.ci95![0]).toBeCloseTo(once.ci95![0], 12);
});

test.each([
  [() => effectiveRaters([[1], []]), /lists of 1, 0 units/],
  [() => effectiveRaters([[1], [0]], { clusters: [] }), /lists of 1, 1, 0 units/],
  [() => effectiveRaters([[1], [2 as never]]), /the error 2/],
])("a wrong call is refused", (call, message) => {
  expect(call).toThrow(expect.objectContaining({ code: "bad_value", message: expect.stringMatching(message) }));
});

const panels = fc.integer({ min: 2, max: 5 }).chain((k) =>
  fc.integer({ min: 1, max: 30 }).chain((n) =>
    fc.array(fc.array(fc.constantFrom<0 | 1>(0, 1), { minLength: n, maxLength: n }), {
      minLength: k,
      maxLength: k,
    }),
  ),
);

test("between one and as many as there are, and the order of raters and units does not matter", () => {
  fc.assert(
    fc.property(panels, (errors) => {
      const report = effectiveRaters(errors);
      const turned = effectiveRaters([...errors].reverse().map((own) => [...own].reverse()));
      if (report.nEffective === null) {
        expect(turned.nEffective).toBeNull();
        return;
      }
      expect(report.nEffective).toBeGreaterThanOrEqual(1 - 1e-9);
      expect(report.nEffective).toBeLessThanOrEqual(errors.length);
      expect(turned.nEffective).toBeCloseTo(report.nEffective, 9);
    }),
  );
});
