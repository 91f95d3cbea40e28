import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Concordance, concordance } from "./concordance.ts";
import { weightedKappa } from "./weighted-kappa.ts";

const JUDGE = [1, 2, 3, 4, 5, 3, 2, 4, 5, 1, 3, 3, 4, 2, 5, 4];
const PEOPLE = [1, 3, 3, 4, 4, 3, 2, 5, 5, 2, 2, 3, 5, 2, 4, 4];
const TASKS = PEOPLE.map((_, i) => `t${Math.floor(i / 2)}`);

// scikit-learn 1.9 `cohen_kappa_score(judge, people, weights="quadratic")` for the value; numpy for the intervals:
//   z = arctanh(ccc(x, y)); pseudo = n z - (n - 1) arctanh(ccc without one), scipy's t.ppf(.975, n - 1) std / sqrt(n)
test.each<[string, Parameters<typeof concordance>, number, [number, number], number]>([
  ["sixteen rows", [JUDGE, PEOPLE], 0.8585858585858586, [0.7031586376691983, 0.9357031255294074], 16],
  [
    "the same as two rows of eight tasks",
    [JUDGE, PEOPLE, { clusters: TASKS }],
    0.8585858585858586,
    [0.7578850998216026, 0.9193251891521707],
    8,
  ],
  [
    "shares",
    [
      [0.1, 0.35, 0.9, 0.62, 0.5, 0.77],
      [0.2, 0.3, 0.8, 0.9, 0.45, 0.6],
    ],
    0.8350990901159167,
    [0.0003924623834985303, 0.9839674539431585],
    6,
  ],
])("%s", (_, given, value, ci95, nDraws) => {
  const report = concordance(...given);
  expect(report).toMatchObject({ n: given[0].length, nSkipped: 0, nDraws, note: null });
  expect(report.concordance).toBeCloseTo(value, 12);
  expect(report.ci95![0]).toBeCloseTo(ci95[0], 10);
  expect(report.ci95![1]).toBeCloseTo(ci95[1], 10);
});

test.each<[string, (number | null)[], (number | null)[], Partial<Concordance>]>([
  ["no pair", [1, null], [null, 2], { concordance: null, note: "no_pairs", n: 0, nSkipped: 2 }],
  ["one mark throughout is no agreement", [3, 3, 3, 3], [3, 3, 3, 3], { concordance: null, note: "no_spread" }],
  ["two pairs have no interval", [1, 2], [1, 3], { concordance: 2 / 3, ci95: null }],
  // 0.025 ^ (1 / 4), as Clopper and Pearson's lower end of 4 of 4.
  ["all agree", [1, 2, 3, 4], [1, 2, 3, 4], { concordance: 1, ci95: [expect.closeTo(0.39763536, 8), 1] as never }],
  ["always a mark kinder", [2, 3, 4, 5], [1, 2, 3, 4], { concordance: 2.5 / 3.5 }],
  ["the other way round", [1, 2, 3], [3, 2, 1], { concordance: -1, ci95: null }],
])("%s", (_, a, b, expected) => {
  const report = concordance(a, b);
  const { concordance: value, ...others } = expected;
  expect(report).toMatchObject(others);
  if (value == null) expect(report.concordance).toBe(value);
  else expect(report.concordance).toBeCloseTo(value, 12);
});

test("one row of fifty that differs still has an interval", () => {
  const people = Array.from({ length: 50 }, (_, i) => (i % 5) + 1);
  const { concordance: value, ci95 } = concordance([2, ...people.slice(1)], people);
  expect(value).toBeGreaterThan(0.99);
  expect(ci95![0]).toBeLessThan(value!);
  expect(ci95![1]).toBe(1);
});

test.each<[string, () => unknown]>([
  ["lists of two lengths", () => concordance([1], [1, 2])],
  ["clusters of another length", () => concordance([1, 2], [1, 2], { clusters: ["a"] })],
  ["no number", () => concordance([1, Number.NaN], [1, 2])],
])("%s is refused", (_, call) => {
  expect(call).toThrow(/concordance got/);
});

describe("laws", () => {
  const marks = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), {
    minLength: 3,
    maxLength: 40,
  });
  const sides = (pairs: readonly (readonly [number, number])[]) =>
    [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const;

  test("of whole marks it is the quadratic-weighted kappa", () => {
    fc.assert(
      fc.property(marks, (pairs) => {
        const [a, b] = sides(pairs);
        const { kappa } = weightedKappa(a, b, { categories: [1, 2, 3, 4, 5] });
        const { concordance: value } = concordance(a, b);
        if (kappa === null) expect(value).toBeNull();
        else expect(value).toBeCloseTo(kappa, 9);
      }),
    );
  });

  test("raters exchanged, rows in another order and another scale change nothing", () => {
    fc.assert(
      fc.property(marks, (pairs) => {
        const [a, b] = sides(pairs);
        const report = concordance(a, b);
        const shifted = concordance(
          b.map((mark) => (mark - 1) / 4).reverse(),
          a.map((mark) => (mark - 1) / 4).reverse(),
        );
        if (report.concordance === null) {
          expect(shifted.concordance).toBeNull();
          return;
        }
        expect(shifted.concordance).toBeCloseTo(report.concordance, 9);
        if (report.ci95 === null) return;
        expect(report.ci95[0]).toBeLessThanOrEqual(report.concordance + 1e-9);
        expect(report.ci95[1]).toBeGreaterThanOrEqual(report.concordance - 1e-9);
        expect(shifted.ci95![0]).toBeCloseTo(report.ci95[0], 6);
      }),
    );
  });

  test("rows in clusters of one are rows", () => {
    fc.assert(
      fc.property(marks, (pairs) => {
        const [a, b] = sides(pairs);
        const clusters = pairs.map((_, i) => `t${i}`);
        expect(concordance(a, b, { clusters })).toEqual(concordance(a, b));
      }),
    );
  });
});
