import fc from "fast-check";
import { expect, test } from "vitest";
import { meanScoreInterval } from "./mean-score-interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

const coins = (ones: number, n: number) => Array.from({ length: n }, (_, i) => (i < ones ? 1 : 0));

test.each([
  [0, 10],
  [3, 10],
  [14, 307],
  [20, 20],
])("%i of %i tasks of one rollout: Wilson's interval", (ones, n) => {
  const { ci95, nEffective } = meanScoreInterval(coins(ones, n))!;
  const [low, high] = wilsonInterval(ones, n)!;
  expect(ci95[0]).toBeCloseTo(low, 12);
  expect(ci95[1]).toBeCloseTo(high, 12);
  expect(nEffective).toBe(n);
});

// By hand: mean 0.5, variance 1/24 of the coin's 1/4, so a ratio of 1/6; no weight on the coin at one half. The quantile
// is 1.96 + (t(3) - 1.96) · 5/6 = 2.978788, and Wilson's formula at 24 gives 0.5 ± half of √(q² / (24 + q²)).
test("[0.25, 0.5, 0.5, 0.75]: 24 coins", () => {
  const { ci95, nEffective } = meanScoreInterval([0.25, 0.5, 0.5, 0.75])!;
  const quantile = 1.96 + (3.182446305284263 - 1.96) * (5 / 6);
  const half = Math.sqrt(quantile ** 2 / (24 + quantile ** 2)) / 2;
  expect(nEffective).toBeCloseTo(24, 10);
  expect(ci95[0]).toBeCloseTo(0.5 - half, 9);
  expect(ci95[1]).toBeCloseTo(0.5 + half, 9);
});

// Mean 0.96875 of eight, the coin's variance 31/1024 weighing 4 · 0.9375⁴ = 3.0899 more tasks beside the seven.
test("seven tasks at 1 and one at 0.75 reckon with a hard task that was not drawn", () => {
  const { ci95, nEffective } = meanScoreInterval([1, 1, 1, 1, 1, 1, 1, 0.75])!;
  const coin = 31 / 1024;
  const squares = 7 / 128;
  const prior = 4 * 0.9375 ** 4;
  expect(nEffective).toBeCloseTo((8 * (7 + prior)) / (squares / coin + prior), 10);
  expect(ci95[0]).toBeLessThan(0.75);
});

const shares = fc.array(
  fc.nat(8).map((c) => c / 8),
  { minLength: 3, maxLength: 40 },
);

test("inside [0, 1], around the mean, the same in any order, and mirrored for failures", () => {
  fc.assert(
    fc.property(shares, (values) => {
      const [low, high] = meanScoreInterval(values)!.ci95;
      const mean = values.reduce((a, b) => a + b) / values.length;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(mean + 1e-12);
      expect(high).toBeGreaterThanOrEqual(mean - 1e-12);
      expect(meanScoreInterval([...values].reverse())!.ci95).toEqual([low, high]);
      const [failLow, failHigh] = meanScoreInterval(values.map((value) => 1 - value))!.ci95;
      expect(failLow).toBeCloseTo(1 - high, 9);
      expect(failHigh).toBeCloseTo(1 - low, 9);
    }),
  );
});

test("never wider than that many coins, but for Student's quantile; more confidence is wider", () => {
  fc.assert(
    fc.property(shares, (values) => {
      const { nEffective, ci95 } = meanScoreInterval(values)!;
      expect(nEffective).toBeGreaterThanOrEqual(values.length - 1e-9);
      const [low, high] = meanScoreInterval(values, { level: 0.99 })!.ci95;
      expect(low).toBeLessThanOrEqual(ci95[0] + 1e-12);
      expect(high).toBeGreaterThanOrEqual(ci95[1] - 1e-12);
    }),
  );
});

test("under three values there is none; what is no share is refused", () => {
  expect(meanScoreInterval([0, 1])).toBeNull();
  expect(() => meanScoreInterval([0.2, 1.5, 0.1])).toThrow("meanScoreInterval got values from 0.1 to 1.5.");
  expect(() => meanScoreInterval([0.2, 0.5, 0.1], { level: 95 })).toThrow("95");
});
