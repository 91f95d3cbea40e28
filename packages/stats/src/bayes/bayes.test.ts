import fc from "fast-check";
import { expect, test } from "vitest";
import { jeffreysInterval } from "../interval/jeffreys-interval.ts";
import { betaInc } from "../kernel/beta.ts";
import { passAtKGroup, passPowKGroup } from "../pass-at/pass-k-group.ts";
import { bayesianBootstrapMoments } from "./bayesian-bootstrap-moments.ts";
import { betaPosterior } from "./beta-posterior.ts";
import { passPowKPlugIn, posteriorPassK } from "./posterior-pass-k.ts";
import { probBBetter } from "./prob-b-better.ts";

const arms = fc.nat(60).chain((n) => fc.record({ successes: fc.nat(n), n: fc.constant(n) }));

test("the posterior holds its level, and mirrors", () => {
  fc.assert(
    fc.property(arms, ({ successes, n }) => {
      const { mean, interval } = betaPosterior(successes, n, { a: 2, b: 0.5 });
      const [low, high] = interval.map((x) => betaInc(2 + successes, 0.5 + n - successes, x)) as [number, number];
      expect(low).toBeCloseTo(0.025, 10);
      expect(high).toBeCloseTo(0.975, 10);
      const mirror = betaPosterior(n - successes, n, { a: 0.5, b: 2 });
      expect(mirror.mean).toBeCloseTo(1 - mean, 12);
      expect(mirror.interval[0]).toBeCloseTo(1 - interval[1], 10);
    }),
  );
});

test("half and half is Jeffreys' interval, and no rows are the prior", () => {
  const { interval } = betaPosterior(45, 50, { a: 0.5, b: 0.5 });
  const jeffreys = jeffreysInterval(45, 50)!;
  expect(interval[0]).toBeCloseTo(jeffreys[0], 12);
  expect(interval[1]).toBeCloseTo(jeffreys[1], 12);
  expect(betaPosterior(0, 0).mean).toBe(0.5);
});

test("one of the two is better: the chances add up to 1", () => {
  fc.assert(
    fc.property(arms, arms, (a, b) => {
      expect(probBBetter(a, b) + probBBetter(b, a)).toBeCloseTo(1, 12);
    }),
  );
  expect(probBBetter({ successes: 0, n: 0 }, { successes: 0, n: 0 })).toBeCloseTo(0.5, 12);
});

test("probBBetter is the integral of the two posteriors", () => {
  // Midpoint rule: chance that B exceeds x, weighted by A's density there.
  const [a, b] = [
    { successes: 7, n: 11 },
    { successes: 9, n: 10 },
  ];
  const steps = 4000;
  let total = 0;
  for (let i = 0; i < steps; i++) {
    const mass = betaInc(8, 5, (i + 1) / steps) - betaInc(8, 5, i / steps);
    total += mass * (1 - betaInc(10, 2, (i + 0.5) / steps));
  }
  expect(probBBetter(a, b)).toBeCloseTo(total, 6);
});

test("another pass never lowers B's chance", () => {
  fc.assert(
    fc.property(arms, arms, (a, { successes, n }) => {
      const before = probBBetter(a, { successes, n: n + 1 });
      expect(probBBetter(a, { successes: successes + 1, n: n + 1 })).toBeGreaterThanOrEqual(before - 1e-12);
    }),
  );
});

test("a hair of prior leaves the unbiased estimate of one rollout", () => {
  const { passAtK, passPowK } = posteriorPassK(8, 3, 1, { a: 1e-12, b: 1e-12 });
  expect(passAtK).toBeCloseTo(passAtKGroup(8, 3, 1)!, 10);
  expect(passPowK).toBeCloseTo(passPowKGroup(8, 3, 1)!, 10);
});

test("with k, pass@k rises and pass^k falls, both defined above n", () => {
  fc.assert(
    fc.property(arms, fc.integer({ min: 1, max: 100 }), ({ successes, n }, k) => {
      const now = posteriorPassK(n, successes, k);
      const next = posteriorPassK(n, successes, k + 1);
      expect(next.passAtK).toBeGreaterThanOrEqual(now.passAtK - 1e-12);
      expect(next.passPowK).toBeLessThanOrEqual(now.passPowK + 1e-12);
      expect(now.passPowK).toBeLessThanOrEqual(now.passAtK + 1e-12);
      const mirror = posteriorPassK(n, n - successes, k);
      expect(mirror.passAtK).toBeCloseTo(1 - now.passPowK, 12);
    }),
  );
});

test("the mean of many draws of weights has these moments", () => {
  const values = [0.5, 0.25, -0.25, 0.5, 0.75, 0];
  const { sd } = bayesianBootstrapMoments(values)!;
  // Var(Σ w x) = xᵀ C x with the covariance of Dirichlet(1, ..., 1): (1/n)(δ - 1/n) / (n + 1).
  const n = values.length;
  let variance = 0;
  for (const [i, x] of values.entries()) {
    for (const [j, y] of values.entries()) variance += (x * y * ((i === j ? 1 : 0) - 1 / n)) / n / (n + 1);
  }
  expect(sd).toBeCloseTo(Math.sqrt(variance), 12);
  expect(bayesianBootstrapMoments([1])).toBeNull();
});

test("counts, priors and k are checked", () => {
  expect(() => betaPosterior(3, 2)).toThrow("3 successes of 2");
  expect(() => betaPosterior(1, 2, { a: 0 })).toThrow("Beta(0, 1)");
  expect(() => posteriorPassK(2, 1, 0)).toThrow("k is 0");
  expect(() => passPowKPlugIn(1.2, 4)).toThrow("The probability is 1.2");
  expect(() => bayesianBootstrapMoments([1, Number.NaN])).toThrow("NaN");
  expect(() => probBBetter({ successes: 2, n: 1 }, { successes: 0, n: 0 })).toThrow("2 successes of 1");
});
