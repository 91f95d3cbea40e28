import fc from "fast-check";
import { expect, test } from "vitest";
import { anovaIcc } from "./anova-icc.ts";
import { clusteredStandardError } from "./clustered-standard-error.ts";
import { rolloutVarianceSplit } from "./rollout-variance-split.ts";

const quarters = fc.integer({ min: 0, max: 4 }).map((passes) => passes / 4);
const values = fc.array(quarters, { minLength: 2, maxLength: 30 });
const clustered = fc.array(fc.tuple(quarters, fc.constantFrom("a", "b", "c", "__proto__")), { minLength: 1 });

test("a cluster a value is the naive standard error", () => {
  fc.assert(
    fc.property(values, (list) => {
      const { seCr1, seNaive } = clusteredStandardError(
        list,
        list.map((_, i) => `c${i}`),
      )!;
      expect(seCr1).toBeCloseTo(seNaive!, 12);
    }),
  );
});

test("values copied within their cluster say nothing new", () => {
  fc.assert(
    fc.property(clustered, (pairs) => {
      const list = pairs.map(([value]) => value);
      const names = pairs.map(([, cluster]) => cluster);
      const once = clusteredStandardError(list, names)!;
      const twice = clusteredStandardError([...list, ...list], [...names, ...names])!;
      expect(twice.se).toBeCloseTo(once.se, 12);
      expect(twice.nClusters).toBe(once.nClusters);
      if (once.ci95 !== null && twice.ci95 !== null) expect(twice.ci95[0]).toBeCloseTo(once.ci95[0], 10);
    }),
  );
});

test("what is known about the interval stands beside it", () => {
  expect(clusteredStandardError([1, 0], ["a", "a"])).toMatchObject({ seCr1: null, ci95: null, note: "one_cluster" });
  expect(clusteredStandardError([1, 1], ["a", "b"])).toMatchObject({ ci95: null, note: "no_spread" });
  // Both clusters have the mean 0.15, up to the last bit.
  expect(clusteredStandardError([0.1, 0.2, 0.3, 0.1 - 0.1], ["a", "a", "b", "b"])).toMatchObject({ note: "no_spread" });
  expect(clusteredStandardError([1, 0, 1], ["a", "b", "c"])).toMatchObject({ note: "few_clusters" });
  const ten = Array.from({ length: 10 }, (_, i) => i % 2);
  expect(
    clusteredStandardError(
      ten,
      ten.map((_, i) => `c${i}`),
    ),
  ).toMatchObject({ note: null });
  expect(clusteredStandardError([], [])).toBeNull();
});

test("the interval is mean ± t(G - 1) · seCr1", () => {
  const { ci95, seCr1 } = clusteredStandardError([1, 1, 0, 0, 1, 1, 0, 0], ["a", "a", "b", "b", "c", "c", "d", "d"])!;
  expect(ci95![1] - 0.5).toBeCloseTo(3.182446 * seCr1!, 6); // t(3) of any table
});

test("the variance of task rates is the sum of its parts, and rollouts without end can only help", () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 16 }), (rates, k) => {
      const split = rolloutVarianceSplit(rates, k)!;
      expect(split.varWithinOfMean + split.varBetween).toBeCloseTo(split.varTotal, 12);
      expect(split.seMeanAtInfiniteK).toBeLessThanOrEqual(split.seMean);
    }),
  );
});

test("icc is a correlation, and rows of one outcome a task are as many as tasks", () => {
  fc.assert(
    fc.property(values, (rates) => {
      const report = anovaIcc(rates, 4);
      if (report === null) return;
      expect(report.icc).toBeGreaterThanOrEqual(-1 / 3 - 1e-12);
      expect(report.icc).toBeLessThanOrEqual(1 + 1e-12);
      expect(report.effectiveRows).toBeLessThanOrEqual(4 * rates.length + 1e-9);
      expect(report.effectiveRows).toBeGreaterThanOrEqual(rates.length - 1e-9);
    }),
  );
  expect(anovaIcc([1, 0, 1], 8)).toEqual({ icc: 1, designEffect: 8, effectiveRows: 3 });
});

test("nothing varies, nothing is measured", () => {
  expect(anovaIcc([1, 1, 1], 4)).toBeNull();
  expect(anovaIcc([0.5], 4)).toBeNull();
  expect(rolloutVarianceSplit([0.5], 4)).toBeNull();
});

test("rates, k and lengths are checked", () => {
  expect(() => anovaIcc([0.5, 1.5], 4)).toThrow("pass rate 1.5 at 1");
  expect(() => rolloutVarianceSplit([0.5, 1], 1)).toThrow("got k 1");
  expect(() => clusteredStandardError([1], [])).toThrow("1 values and 0 clusters");
});
