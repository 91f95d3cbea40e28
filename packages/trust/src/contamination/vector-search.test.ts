import { MersenneTwister } from "@while/stats";
import { describe, expect, test } from "vitest";
import type { UnitVectors } from "./embedder.ts";
import { VectorSearch } from "./vector-search.ts";

const DIMENSIONS = 16;

/** Vectors around some centers, as embeddings of topics are. */
function vectorsAround(nCenters: number, n: number, seed: number, spread = 0.3): UnitVectors {
  const topics = new MersenneTwister(7);
  const centers = Array.from({ length: nCenters }, () =>
    Array.from({ length: DIMENSIONS }, () => topics.random() - 0.5),
  );
  const rng = new MersenneTwister(seed);
  const values = new Float32Array(n * DIMENSIONS);
  for (let i = 0; i < n; i++) {
    const own = centers[Math.floor(rng.random() * nCenters)]!.map((x) => x + spread * (rng.random() - 0.5));
    const norm = Math.sqrt(own.reduce((sum, x) => sum + x * x, 0));
    for (const [k, x] of own.entries()) values[i * DIMENSIONS + k] = x / norm;
  }
  return { values, dimensions: DIMENSIONS };
}

const none = (n: number): ReadonlySet<number>[] => Array.from({ length: n }, () => new Set<number>());

describe("the nearest vector", () => {
  const vectors = vectorsAround(40, 3000, 1);
  const queries = vectorsAround(40, 300, 2);
  const exact = new VectorSearch(vectors, 3000, "exact").nearest(queries, none(300));

  test("is the one with the largest product, over all blocks", () => {
    for (const [query, { at, cosine }] of exact.entries()) {
      let best = -1;
      let value = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < 3000; i++) {
        let sum = 0;
        for (let k = 0; k < DIMENSIONS; k++) {
          sum += queries.values[query * DIMENSIONS + k]! * vectors.values[i * DIMENSIONS + k]!;
        }
        if (sum > value) [best, value] = [i, sum];
      }
      expect(at).toBe(best);
      expect(cosine).toBeCloseTo(value, 6);
    }
  });

  test("is found in the nearest clusters nearly always, and never one that is nearer than the nearest", () => {
    const probed = new VectorSearch(vectors, 3000, "probed").nearest(queries, none(300));
    const same = probed.filter(({ at }, query) => at === exact[query]!.at).length;
    expect(same).toBeGreaterThan(290);
    for (const [query, { cosine }] of probed.entries()) expect(cosine).toBeLessThanOrEqual(exact[query]!.cosine);
  });

  test("is the same on every run", () => {
    const once = new VectorSearch(vectors, 3000, "probed").nearest(queries, none(300));
    expect(new VectorSearch(vectors, 3000, "probed").nearest(queries, none(300))).toEqual(once);
  });

  test.each(["exact", "probed"] as const)("passes over what is left out: %s", (search) => {
    const left = exact.map(({ at }) => new Set([at]));
    const found = new VectorSearch(vectors, 3000, search).nearest(queries, left);
    for (const [query, { at }] of found.entries()) expect(left[query]!.has(at)).toBe(false);
  });
});

test.each(["exact", "probed"] as const)("of two that are as near the first is taken, and of none -1: %s", (search) => {
  const values = new Float32Array(40 * 2);
  for (let i = 0; i < 40; i++) values.set(i % 2 === 0 ? [1, 0] : [0, 1], 2 * i);
  const query: UnitVectors = { values: Float32Array.of(0, 1), dimensions: 2 };
  const found = new VectorSearch({ values, dimensions: 2 }, 40, search);
  expect(found.nearest(query, none(1))).toEqual([{ at: 1, cosine: 1 }]);
  const all = new Set(Array.from({ length: 40 }, (_, i) => i));
  expect(found.nearest(query, [all])).toEqual([{ at: -1, cosine: Number.NEGATIVE_INFINITY }]);
});
