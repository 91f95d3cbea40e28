import fc from "fast-check";
import { expect, test } from "vitest";
import { binomialCdf } from "../kernel/binomial.ts";
import { bootstrapCi } from "./bootstrap-ci.ts";
import { exactBootstrapCi } from "./exact-bootstrap-ci.ts";

/** Rates over k rollouts. */
const rates = fc
  .integer({ min: 1, max: 8 })
  .chain((k) => fc.tuple(fc.array(fc.nat(k), { minLength: 3, maxLength: 40 }), fc.constant(k)));

test("a draw of 2000 resamples comes within two lattice steps", () => {
  fc.assert(
    fc.property(rates, ([passes, k]) => {
      const values = passes.map((c) => c / k);
      const [low, high] = exactBootstrapCi(values)!;
      const [drawnLow, drawnHigh] = bootstrapCi(values)!;
      const gap = passes
        .toSorted((a, b) => a - b)
        .reduce((widest, c, i, all) => Math.max(widest, c - (all[i - 1] ?? c)), 1);
      // The steps of the sum are the gaps between rates: 0, 0, 8 of 8 moves by eights.
      const steps = (2 * gap) / (k * values.length) + 1e-9;
      expect(Math.abs(drawnLow - low)).toBeLessThanOrEqual(steps);
      expect(Math.abs(drawnHigh - high)).toBeLessThanOrEqual(steps);
    }),
    { seed: 7, numRuns: 60 },
  );
});

test("every resample enumerated gives the same quantiles", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(4), { minLength: 3, maxLength: 5 }),
      fc.constantFrom(0.5, 0.8, 0.95),
      (passes, level) => {
        const n = passes.length;
        const sums = Array.from({ length: n ** n }, (_, code) => {
          let [total, rest] = [0, code];
          for (let i = 0; i < n; i++, rest = Math.floor(rest / n)) total += passes[rest % n]!;
          return total;
        }).sort((a, b) => a - b);
        const tail = (1 - level) / 2;
        // Smallest value with at least the share at or below it, counted and not computed.
        const at = (share: number) => sums[Math.max(0, Math.ceil(share * sums.length - 1e-9) - 1)]! / (4 * n);
        const [low, high] = exactBootstrapCi(
          passes.map((c) => c / 4),
          { level },
        )!;
        expect(low).toBeCloseTo(at(tail), 12);
        expect(high).toBeCloseTo(at(1 - tail), 12);
      },
    ),
    { numRuns: 40 },
  );
});

test("0/1 values give the quantiles of a binomial", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const successes = Math.round(n * share);
      const values = Array.from({ length: n }, (_, i) => (i < successes ? 1 : 0));
      const [low, high] = exactBootstrapCi(values)!.map((end) => Math.round(end * n)) as [number, number];
      const p = successes / n;
      expect(binomialCdf(low, n, p)).toBeGreaterThanOrEqual(0.025 - 1e-9);
      if (low > 0) expect(binomialCdf(low - 1, n, p)).toBeLessThan(0.025 + 1e-9);
      expect(binomialCdf(high, n, p)).toBeGreaterThanOrEqual(0.975 - 1e-9);
      if (high > 0) expect(binomialCdf(high - 1, n, p)).toBeLessThan(0.975 + 1e-9);
    }),
    { numRuns: 40 },
  );
});

test("failures mirror successes", () => {
  fc.assert(
    fc.property(rates, ([passes, k]) => {
      const [low, high] = exactBootstrapCi(passes.map((c) => c / k))!;
      const [mirrorLow, mirrorHigh] = exactBootstrapCi(passes.map((c) => 1 - c / k))!;
      expect(mirrorLow).toBeCloseTo(1 - high, 12);
      expect(mirrorHigh).toBeCloseTo(1 - low, 12);
    }),
  );
});

test("a million tasks of 8 rollouts are on the lattice: the window around the mean holds their sum", () => {
  const values = Array.from({ length: 999_999 }, (_, i) => (i % 9) / 8);
  const [low, high] = exactBootstrapCi(values)!;
  const se = Math.sqrt(60 / 9 / 64 / values.length);
  expect(low).toBeCloseTo(0.5 - 1.959964 * se, 6);
  expect(high).toBeCloseTo(0.5 + 1.959964 * se, 6);
});

test("values on no lattice are refused, with the two ways out", () => {
  expect(() => exactBootstrapCi([Math.PI, Math.E, Math.SQRT2])).toThrow(/no denominator.*expandedPercentileCi/);
});
