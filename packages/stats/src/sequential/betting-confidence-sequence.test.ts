import fc from "fast-check";
import { expect, test } from "vitest";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { bettingConfidenceSequence } from "./betting-confidence-sequence.ts";

// numpy, by the formulas of arXiv:2010.09686 (predictable plug-in bets, hedged capital, c = 1/2), bisection over the mean
test.each<[string, number[], number, number, number, number | null]>([
  [
    "forty spread over the range",
    Array.from({ length: 40 }, (_, i) => ((i * 7) % 10) / 10),
    ...([0.3159530313412142, 0.5767617226991002, 1.142131987747666, null] as const),
  ],
  [
    "thirty, mostly wins",
    Array.from({ length: 30 }, (_, i) => (i % 5 === 0 ? 0.5 : 1)),
    ...([0.7019399045707909, 0.9795966492872166, 8417.056098014116, 13] as const),
  ],
])("%s", (_, values, low, high, eValue, rejectedAt) => {
  const report = bettingConfidenceSequence(values);
  expect(report.ci[0]).toBeCloseTo(low, 10);
  expect(report.ci[1]).toBeCloseTo(high, 10);
  expect(report.eValue).toBeCloseTo(eValue, 6);
  expect(report).toMatchObject({ n: values.length, rejectedAt, pAnytime: Math.min(1, 1 / report.eValue) });
});

test("without values nothing is ruled out", () => {
  expect(bettingConfidenceSequence([], { low: -1 })).toEqual({
    ...{ n: 0, ci: [-1, 1], eValue: 1, pAnytime: 1, rejectedAt: null },
  });
});

test.each([
  ["a value outside", () => bettingConfidenceSequence([1.5]), "1.5 is outside 0 to 1"],
  ["no number", () => bettingConfidenceSequence([Number.NaN]), "NaN is outside"],
  ["a mean outside", () => bettingConfidenceSequence([1], { nullMean: 2 }), "2 is outside"],
  ["no range", () => bettingConfidenceSequence([1], { low: 1, high: 1 }), "The range is 1 to 1"],
  ["an alpha of 0", () => bettingConfidenceSequence([1], { alpha: 0 }), "The level is 0"],
])("%s is refused", (_, call, said) => {
  expect(call).toThrow(said);
});

const shares = fc.array(
  fc.integer({ min: 0, max: 4 }).map((step) => step / 4),
  { minLength: 1, maxLength: 60 },
);

test("laws: it never widens, and the values turned round turn it round", () => {
  fc.assert(
    fc.property(shares, (values) => {
      const { ci, eValue } = bettingConfidenceSequence(values);
      const before = bettingConfidenceSequence(values.slice(0, -1));
      expect(ci[0]).toBeGreaterThanOrEqual(before.ci[0]);
      expect(ci[1]).toBeLessThanOrEqual(before.ci[1]);
      const turned = bettingConfidenceSequence(values.map((value) => 1 - value));
      expect(turned.ci[0]).toBeCloseTo(1 - ci[1], 9);
      expect(turned.eValue).toBeCloseTo(eValue, 6);
      const scaled = bettingConfidenceSequence(
        values.map((value) => 2 * value - 1),
        { low: -1 },
      );
      expect(scaled.ci[0]).toBeCloseTo(2 * ci[0] - 1, 9);
    }),
  );
});

test("the mean is ruled out exactly where the interval leaves it", () => {
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 9 }), (values, tenths) => {
      const nullMean = tenths / 10;
      const { ci, rejectedAt, eValue } = bettingConfidenceSequence(values, { nullMean });
      expect(rejectedAt !== null).toBe(ci[0] >= nullMean - 1e-12 || ci[1] <= nullMean + 1e-12);
      expect(rejectedAt !== null).toBe(eValue >= 20 - 1e-9);
    }),
  );
});

test("looked at after every one of 200 values, it leaves the true mean in fewer than 5 of 100", () => {
  const rng = new MersenneTwister(7);
  const trials = 400;
  let left = 0;
  for (let trial = 0; trial < trials; trial++) {
    const values = Array.from({ length: 200 }, () => (rng.random() < 0.3 ? 1 : 0));
    const { ci } = bettingConfidenceSequence(values);
    if (ci[0] > 0.3 || ci[1] < 0.3) left++;
  }
  expect(left / trials).toBeLessThan(0.05);
});
