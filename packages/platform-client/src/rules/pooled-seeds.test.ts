import { expect, test } from "vitest";
import type { ScoredRun } from "./newest-scores.ts";
import { pooledSeeds, seedScores } from "./pooled-seeds.ts";

const run = (
  id: string,
  version: string,
  seed: number | null,
  score: number,
  more: Partial<ScoredRun> = {},
): ScoredRun => ({
  id,
  version,
  record: { optimizer: seed === null ? {} : { seed } },
  evals: [
    { behavior: "a", score, ci: 2, n: 200, testVersion: "t1", createdAt: `2026-09-${id.padStart(2, "0")}T00:00:00Z` },
  ],
  ...more,
});

const pools = (runs: ScoredRun[]) =>
  Object.fromEntries([...seedScores(runs, "a")].map(([version, scores]) => [version, pooledSeeds(scores)]));

test("seeds of one version on one test have a mean and a spread", () => {
  // 80, 82, 87: mean 83, squares 9 + 1 + 16 over 2.
  expect(pools([run("3", "v2", 3, 87), run("2", "v2", 2, 82), run("1", "v2", 1, 80)])).toEqual({
    v2: { seeds: 3, mean: 83, sd: 3.61 },
  });
});

test("a seed posted again counts once, with its newest score", () => {
  expect(pools([run("1", "v2", 1, 10), run("2", "v2", 2, 82), run("3", "v2", 1, 80)])).toEqual({
    v2: { seeds: 2, mean: 81, sd: 1.41 },
  });
});

test.each<[string, ScoredRun[]]>([
  ["one seed, posted twice", [run("1", "v2", 1, 80), run("2", "v2", 1, 82)]],
  ["runs that name no seed", [run("1", "v2", null, 80), run("2", "v2", null, 82)]],
  ["seeds of two versions", [run("1", "v1", 1, 80), run("2", "v2", 2, 82)]],
  ["an archived run", [run("1", "v2", 1, 80), run("2", "v2", 2, 82, { archived: true })]],
  [
    "two tests",
    [
      run("1", "v2", 1, 80, {
        evals: [{ behavior: "a", score: 80, testVersion: "t0", createdAt: "2026-09-01T00:00:00Z" }],
      }),
      run("2", "v2", 2, 82),
    ],
  ],
])("%s are not pooled", (_what, runs) => {
  expect(pools(runs)).toEqual({});
});
