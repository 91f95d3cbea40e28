import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialCdf } from "../kernel/binomial.ts";
import { clopperPearson } from "./clopper-pearson.ts";
import { jeffreysInterval } from "./jeffreys-interval.ts";

const counts = fc.integer({ min: 1, max: 300 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));

test("each bound is where the observed count becomes a 2.5% surprise", () => {
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [low, high] = clopperPearson(successes, n)!;
      if (successes < n) expect(binomialCdf(successes, n, high)).toBeCloseTo(0.025, 10);
      if (successes > 0) expect(1 - binomialCdf(successes - 1, n, low)).toBeCloseTo(0.025, 10);
    }),
  );
});

test("Jeffreys lies within Clopper-Pearson and both contain the rate", () => {
  fc.assert(
    fc.property(counts, ([successes, n]) => {
      const [exactLow, exactHigh] = clopperPearson(successes, n)!;
      const [low, high] = jeffreysInterval(successes, n)!;
      expect(low).toBeGreaterThanOrEqual(exactLow);
      expect(high).toBeLessThanOrEqual(exactHigh);
      expect(low).toBeLessThanOrEqual(successes / n);
      expect(high).toBeGreaterThanOrEqual(successes / n);
    }),
  );
});

test.each([clopperPearson, jeffreysInterval])(
  "no rows have no interval, and counts and levels are checked",
  (interval) => {
    expect(interval(0, 0)).toBeNull();
    expect(() => interval(3, 2)).toThrow("3 successes of 2");
    expect(() => interval(1, 2, { level: 95 })).toThrow("The level is 95.");
  },
);
