import fc from "fast-check";
import { expect, test } from "vitest";
import { clusteredStandardError } from "../clustered/clustered-standard-error.ts";
import { sum } from "../kernel/sum.ts";
import { clusterSums, clusterValues } from "./cluster-values.ts";
import { pairedTInterval } from "./paired-t-interval.ts";

test.each([
  // values, clusters, one value a cluster, sums
  [
    [1, 0, 0.5, 0.5],
    ["a", "a", "b", "b"],
    [0.5, 0.5],
    [1, 1],
  ],
  [
    [0.1, 0.2, 0.3],
    ["a", "b", "c"],
    [0.1, 0.2, 0.3],
    [0.1, 0.2, 0.3],
  ],
  // Uneven: mean 0.5 over four tasks; the cluster of three lies 0.5 below it three times, in sum -0.5.
  [
    [1, 0, 0, 1],
    ["a", "b", "b", "b"],
    [0.75, 0.25],
    [1, 1],
  ],
  [[], [], [], []],
])("clusterValues(%j, %j)", (values, clusters, expected, sums) => {
  expect(clusterValues(values, clusters)).toEqual(expected);
  expect(clusterSums(values, clusters)).toEqual(sums);
});

const clustered = fc.array(fc.tuple(fc.integer({ min: -8, max: 8 }), fc.constantFrom("a", "b", "c", "d")), {
  minLength: 2,
  maxLength: 30,
});

test("their mean is the mean over tasks, and their standard error the clustered one", () => {
  fc.assert(
    fc.property(clustered, (drawn) => {
      const [values, clusters] = [drawn.map(([value]) => value / 8), drawn.map(([, cluster]) => cluster)];
      const expected = clusteredStandardError(values, clusters)!;
      const own = clusterValues(values, clusters);
      expect(sum(own) / own.length).toBeCloseTo(expected.mean, 12);
      if (expected.seCr1 !== null) expect(pairedTInterval(own)!.se).toBeCloseTo(expected.seCr1, 12);
    }),
  );
});
