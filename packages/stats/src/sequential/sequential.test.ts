import fc from "fast-check";
import { expect, test } from "vitest";
import { wilsonInterval } from "../interval/wilson-interval.ts";
import { binomialPmf } from "../kernel/binomial.ts";
import { logBeta } from "../kernel/log-gamma.ts";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { asymptoticConfidenceSequence } from "./asymptotic-confidence-sequence.ts";
import { betaBinomialConfidenceSequence } from "./beta-binomial-confidence-sequence.ts";
import { signTestEValue } from "./sign-test-e-value.ts";

const counts = fc.integer({ min: 1, max: 400 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));

test("the sequence contains the rate and Wilson's interval, and mirrors", () => {
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [low, high] = betaBinomialConfidenceSequence(successes, n);
      const [wilsonLow, wilsonHigh] = wilsonInterval(successes, n)!;
      expect(low).toBeLessThanOrEqual(successes / n);
      expect(high).toBeGreaterThanOrEqual(successes / n);
      expect(high - low).toBeGreaterThanOrEqual(wilsonHigh - wilsonLow);
      const [mirrorLow, mirrorHigh] = betaBinomialConfidenceSequence(n - successes, n);
      expect(mirrorLow).toBeCloseTo(1 - high, 10);
      expect(mirrorHigh).toBeCloseTo(1 - low, 10);
    }),
  );
});

test("each bound is where the mixture beats the rate by 1 / alpha", () => {
  fc.assert(
    fc.property(counts, fc.constantFrom(0.01, 0.05, 0.2), ([successes, n], alpha) => {
      const [low, high] = betaBinomialConfidenceSequence(successes, n, { alpha, a: 2, b: 3 });
      const mixture = logBeta(2 + successes, 3 + n - successes) - logBeta(2, 3);
      const evidence = (p: number) => mixture - successes * Math.log(p) - (n - successes) * Math.log1p(-p);
      // Beside 1 a bound is rounded to a whole step of the likelihood, which is steep there.
      const miss = (p: number) => Math.abs(evidence(p) + Math.log(alpha));
      if (successes > 0) expect(miss(low)).toBeLessThan(1e-6);
      if (successes < n) expect(miss(high)).toBeLessThan(1e-6 + (Number.EPSILON * (n - successes)) / (1 - high));
    }),
  );
  expect(betaBinomialConfidenceSequence(0, 0)).toEqual([0, 1]);
});

test("looked at after each of 200 rows, the true rate leaves the sequence in at most 5% of runs", () => {
  const rng = new MersenneTwister(1);
  let left = 0;
  for (let run = 0; run < 300; run++) {
    let successes = 0;
    for (let n = 1; n <= 200; n++) {
      if (rng.random() < 0.6) successes++;
      // Whether 0.6 is inside, without the bounds: the inequality itself.
      const evidence =
        logBeta(1 + successes, 1 + n - successes) - successes * Math.log(0.6) - (n - successes) * Math.log(0.4);
      if (evidence >= Math.log(20)) {
        const [low, high] = betaBinomialConfidenceSequence(successes, n);
        expect(low > 0.6 || high < 0.6).toBe(true);
        left++;
        break;
      }
    }
  }
  expect(left / 300).toBeLessThanOrEqual(0.05);
});

test("the e-value is 1 on average when better and worse are equally likely, at any number of tasks", () => {
  fc.assert(
    fc.property(fc.nat(60), (changed) => {
      let expected = 0;
      for (let wins = 0; wins <= changed; wins++) {
        expected += binomialPmf(wins, changed, 0.5) * signTestEValue(wins, changed - wins).eValue;
      }
      expect(expected).toBeCloseTo(1, 10);
    }),
  );
});

test("a fair game: the next task moves the e-value nowhere on average", () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), (wins, losses) => {
      const { eValue } = signTestEValue(wins, losses);
      const next = (signTestEValue(wins + 1, losses).eValue + signTestEValue(wins, losses + 1).eValue) / 2;
      expect(next / eValue).toBeCloseTo(1, 10);
      expect(signTestEValue(losses, wins).eValue / eValue).toBeCloseTo(1, 12);
    }),
  );
});

test("evidence beyond a double stays a number", () => {
  expect(signTestEValue(5000, 0)).toEqual({ eValue: Number.MAX_VALUE, pAnytime: 1 / Number.MAX_VALUE });
  expect(signTestEValue(0, 0)).toEqual({ eValue: 1, pAnytime: 1 });
});

test("the mean's sequence is wider than an interval for one look, and its price least at tOpt", () => {
  const price = (t: number) => {
    const { halfWidth, fixedHalfWidth } = asymptoticConfidenceSequence({ mean: 0, sd: 0.4, t, tOpt: 200 });
    return halfWidth / fixedHalfWidth;
  };
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 5000 }), (t) => {
      expect(price(t)).toBeGreaterThan(1.4);
      // tOpt is chosen by an approximation, good to about a part in ten thousand.
      expect(price(t)).toBeGreaterThanOrEqual(price(200) * (1 - 1e-3));
    }),
  );
});

test("counts, alpha and spreads are checked", () => {
  expect(() => signTestEValue(-1, 0)).toThrow("-1 wins and 0 losses");
  expect(() => betaBinomialConfidenceSequence(2, 1)).toThrow("2 successes of 1");
  expect(() => betaBinomialConfidenceSequence(1, 2, { alpha: 0 })).toThrow("0");
  expect(() => asymptoticConfidenceSequence({ mean: 0, sd: 1, t: 0, tOpt: 10 })).toThrow("t is 0");
  expect(() => asymptoticConfidenceSequence({ mean: 0, sd: 1, t: 5, tOpt: 0.5 })).toThrow("tOpt is 0.5");
  expect(() => asymptoticConfidenceSequence({ mean: 0, sd: -1, t: 5, tOpt: 5 })).toThrow("sd -1");
});
