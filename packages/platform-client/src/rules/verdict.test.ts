import fc from "fast-check";
import { expect, test } from "vitest";
import type { Behavior } from "../contract/behaviors.ts";
import type { VersionScore } from "../contract/dashboard.ts";
import type { ScoredRun } from "./newest-scores.ts";
import { newestScores } from "./newest-scores.ts";
import { verdictOf } from "./verdict.ts";

type Pair = readonly [score: number, ci: number | null];

const base: Omit<Behavior, "name"> = { n: 240, judge: { agreement: 0.86, humanN: 60 } };

function verdictOn(c: Pair, s: Pair, fields: Partial<Behavior> = {}, rules: "strict" | "compat" = "strict") {
  const versions: VersionScore[] = [
    { v: "v3", score: s[0], ci: s[1], n: 240 },
    { v: "v4", score: c[0], ci: c[1], n: 240 },
  ];
  const behavior = { ...base, ...fields, name: "refunds" };
  return verdictOf({ behavior, serving: "v3", versions, behaviors: [behavior], runs: [], rules });
}

test("a candidate that clears interval and floor beats, and says what that rests on", () => {
  const verdict = verdictOn([83, 2.7], [78, 3.1], { noiseFloor: 2.4, rewardIsJudge: false, contamination: 0 });
  expect(verdict).toMatchObject({ candidate: "v4", delta: 5, excludesZero: true, kind: "beats", gaps: [] });
  expect(verdict.halfWidth).toBeCloseTo(4.111, 3);
  expect(verdict.rests).toEqual(["judge agreement 0.86 on 60", "n=240"]);
  expect(verdict.text).toBe(
    "refunds: v4 beats v3 by 5 ± 4.1 points, the interval excludes zero, clears the noise floor of 2.4; judge agreement 0.86 on 60, n=240",
  );
});

test("a claim with gaps begins with unproven and ends with them", () => {
  const verdict = verdictOn([76.9, 5], [46.9, 5], { noiseFloor: 3.1, n: 40, judge: null });
  expect(verdict).toMatchObject({ delta: 30, kind: "beats", gaps: ["n=40 under 50", "judge agreement unmeasured"] });
  expect(verdict.halfWidth).toBeCloseTo(7.0711, 4);
  expect(verdict.text).toMatch(/^unproven: refunds: .* \[n=40 under 50; judge agreement unmeasured\]$/);
});

test.each<[Pair, Pair, number | null, object]>([
  [[50, 5], [46.9, 5], null, { delta: 3.1, excludesZero: false, kind: "about_same" }],
  [[80, 1], [77, 1], 3, { delta: 3, excludesZero: true, kind: "inside_floor" }],
  [[78, 3], [83, 3], 2.4, { delta: -5, kind: "trails" }],
  [[66, null], [60, 2], null, { delta: 6, excludesZero: null, kind: "no_interval" }],
  [[63, 3], [58, 4], null, { delta: 5, halfWidth: 5, excludesZero: false, kind: "about_same" }],
  [[80, 1], [80, 1], null, { delta: 0, excludesZero: false, kind: "about_same" }],
])("%j against %j with a floor of %s", (c, s, noiseFloor, expected) => {
  expect(verdictOn(c, s, { noiseFloor })).toMatchObject(expected);
});

test.each([
  [{ gradedBy: "program", judge: null } as const, [], ["graded by a program", "n=240"]],
  [{ judge: { agreement: 0.7, humanN: 9 } }, ["judge agreement 0.7 under 0.8"], ["judge agreement 0.7 on 9", "n=240"]],
  [{ judge: { agreement: 0.9, verified: false } }, [], ["judge agreement 0.9 on ?", "n=240"]],
  [
    { rewardIsJudge: true, contamination: 2 },
    ["the training reward is the judge", "2 test items in training data"],
    undefined,
  ],
])("gaps and rests of %j", (fields, gaps, rests) => {
  const verdict = verdictOn([83, 1], [70, 1], fields);
  expect(verdict.gaps).toEqual(gaps);
  if (rests !== undefined) expect(verdict.rests).toEqual(rests);
});

const scored = (id: string, version: string, at: string, scores: Record<string, number>): ScoredRun => ({
  id,
  version,
  evals: Object.entries(scores).map(([behavior, score]) => ({ behavior, score, ci: 5, createdAt: at })),
});

function onBehavior(name: string, runs: ScoredRun[]) {
  const behaviors: Behavior[] = ["a", "b"].map((one) => ({ name: one, noiseFloor: 3.1 }));
  const behavior = behaviors.find((one) => one.name === name)!;
  return verdictOf({ behavior, serving: "base", versions: newestScores(runs, name), behaviors, runs });
}

const day = (n: number) => `2026-09-0${n}T00:00:00.000Z`;
const first = scored("r0", "base", day(1), { a: 46.9, b: 33.8 });
const runs = [first, scored("r1", "sft-v1", day(2), { a: 76.9 }), scored("r2", "sft-v1-s1", day(3), { b: 75 })];

test("another run that beats the served version on another behavior replicates the claim", () => {
  expect(onBehavior("a", runs)).toMatchObject({ candidate: "sft-v1", delta: 30, replicated: ["b"] });
  expect(onBehavior("b", runs)).toMatchObject({ candidate: "sft-v1-s1", delta: 41.2, replicated: ["a"] });
  expect(onBehavior("a", runs).text).toContain("; moved, replicated on b");
});

test("which of the two runs came first does not matter", () => {
  const swapped = [first, scored("r1", "sft-v1", day(3), { a: 76.9 }), scored("r2", "sft-v1-s1", day(2), { b: 75 })];
  expect(onBehavior("a", swapped)).toMatchObject({ candidate: "sft-v1", delta: 30, replicated: ["b"] });
  expect(onBehavior("b", swapped)).toMatchObject({ candidate: "sft-v1-s1", delta: 41.2, replicated: ["a"] });
});

test("a newer score of the served version is the one that counts, on its own behavior alone", () => {
  const again = [...runs, scored("r3", "base", day(4), { b: 34 })];
  expect(onBehavior("b", again).delta).toBe(41);
  expect(onBehavior("a", again).delta).toBe(30);
});

test("one run scored on two sets replicates nothing, and neither does a run that is about the same", () => {
  const one = [first, scored("r1", "sft-v1", day(2), { a: 76.9, b: 75 })];
  expect(onBehavior("a", one).replicated).toEqual([]);
  const weak = [first, scored("r1", "sft-v1", day(2), { a: 76.9 }), scored("r2", "sft-v1-s1", day(3), { b: 36 })];
  expect(onBehavior("b", weak).kind).toBe("about_same");
  expect(onBehavior("a", weak).replicated).toEqual([]);
});

test("lower readings elsewhere are counted, and only those beyond chance are named as such", () => {
  const behaviors: Behavior[] = ["a", "b", "c", "d"].map((name) => ({ name }));
  const served = scored("r0", "base", day(1), { a: 50, b: 60, c: 60, d: 60 });
  const next = scored("r1", "v2", day(2), { a: 90, b: 59, c: 20, d: 61 });
  const both = [served, next];
  const verdict = verdictOf({
    behavior: behaviors[0]!,
    serving: "base",
    versions: newestScores(both, "a"),
    behaviors,
    runs: both,
  });
  expect(verdict).toMatchObject({ regressions: 2, compared: 3, regressionNames: ["b", "c"], regressionsClear: ["c"] });
  expect(verdict.text).toContain("2 of 3 other behaviors lower as a point estimate, beyond chance c");
});

test("ten others that moved by a little more than their intervals: half are lower, none beyond chance", () => {
  const behaviors: Behavior[] = Array.from({ length: 11 }, (_, i) => ({ name: `b${i}` }));
  const at = (shift: (i: number) => number) =>
    Object.fromEntries(behaviors.map(({ name }, i) => [name, 60 + shift(i)]));
  const both = [
    scored(
      "r0",
      "base",
      day(1),
      at(() => 0),
    ),
    scored(
      "r1",
      "v2",
      day(2),
      at((i) => (i % 2 === 0 ? 8 : -8)),
    ),
  ];
  const versions = newestScores(both, "b0");
  const verdict = verdictOf({ behavior: behaviors[0]!, serving: "base", versions, behaviors, runs: both });
  expect(verdict).toMatchObject({ regressions: 5, compared: 10, regressionsClear: [] });
});

test("scores of two tests are not compared, and the compatible rules compare them", () => {
  const behavior: Behavior = { name: "refunds", n: 240 };
  const versions: VersionScore[] = [
    { v: "v3", score: 50, ci: 1, testVersion: "t1" },
    { v: "v4", score: 90, ci: 1, testVersion: "t2" },
  ];
  const input = { behavior, serving: "v3", versions, behaviors: [behavior], runs: [] };
  expect(verdictOf(input)).toMatchObject({ kind: "not_comparable", delta: null, excludesZero: null });
  expect(verdictOf(input).text).toBe("refunds: v4 was scored on t2 and v3 on t1: not comparable; n=240");
  expect(verdictOf({ ...input, rules: "compat" }).kind).toBe("beats");
});

test("four of four is no proof: 100 ± 0 counts with Wilson's bound, under the compatible rules with 0", () => {
  const behavior: Behavior = { name: "grounded", n: 4 };
  const versions: VersionScore[] = [
    { v: "v1", score: 75, ci: 20, n: 4 },
    { v: "v2", score: 100, ci: 0, n: 4 },
  ];
  const input = { behavior, serving: "v1", versions, behaviors: [behavior], runs: [] };
  expect(verdictOf(input)).toMatchObject({ kind: "about_same", delta: 25 });
  expect(verdictOf({ ...input, rules: "compat" })).toMatchObject({ kind: "beats", halfWidth: 20 });
});

test.each([
  ["v3", [], "serving_only", "refunds: v3 serves, and nothing newer is scored"],
  ["v3", [{ v: "v4", score: 60 }], "no_score", "refunds: no candidate is scored against v3"],
  [null, [{ v: "v4", score: 60 }], "no_score", "refunds: no candidate is scored against a served version"],
])("served %s with %j is %s", (serving, versions, kind, text) => {
  const behavior: Behavior = { name: "refunds" };
  expect(verdictOf({ behavior, serving, versions, behaviors: [], runs: [] })).toMatchObject({ kind, text });
});

test("a candidate may be named, the served version too, and one without a score is refused", () => {
  const behavior: Behavior = { name: "refunds" };
  const versions = ["v1", "v2", "v3"].map((v, i) => ({ v, score: 60 + i, ci: 1 }));
  const input = { behavior, serving: "v1", versions, behaviors: [], runs: [] };
  expect(verdictOf({ ...input, version: "v2" })).toMatchObject({ candidate: "v2", delta: 1, tried: 2 });
  expect(verdictOf({ ...input, version: "v1" })).toMatchObject({ kind: "same_version", delta: 0, excludesZero: null });
  expect(() => verdictOf({ ...input, version: "v9" })).toThrow(
    "No score of v9 on refunds. Versions scored there: v1, v2, v3.",
  );
});

const seeded = (id: string, version: string, seed: number | null, at: string, scores: Record<string, number>) => ({
  ...scored(id, version, at, scores),
  record: { optimizer: seed === null ? {} : { seed } },
});

test("one version posted twice is no replication, and another seed of it is", () => {
  const again = (seed: number | null) => [
    first,
    seeded("r1", "v2", 1, day(2), { a: 76.9 }),
    seeded("r2", "v2", seed, day(3), { b: 75 }),
  ];
  expect(onBehavior("a", again(1)).replicated).toEqual([]);
  expect(onBehavior("a", again(null)).replicated).toEqual([]);
  expect(onBehavior("a", again(2)).replicated).toEqual(["b"]);
  const compat = { behavior: { name: "a" }, serving: "base", rules: "compat" } as const;
  const runs = again(1);
  const behaviors: Behavior[] = [{ name: "a" }, { name: "b" }];
  expect(verdictOf({ ...compat, versions: newestScores(runs, "a"), behaviors, runs }).replicated).toEqual(["b"]);
});

test("other seeds of the candidate that beat the served version too replicate the claim, and are pooled", () => {
  const seeds = [
    first,
    seeded("r1", "v2", 1, day(2), { a: 70 }),
    seeded("r2", "v2", 2, day(3), { a: 48 }),
    seeded("r3", "v2", 3, day(4), { a: 76 }),
  ];
  const verdict = onBehavior("a", seeds);
  expect(verdict).toMatchObject({ candidate: "v2", delta: 29.1, replicatedSeeds: [1] });
  expect(verdict.text).toContain("; moved, replicated on seed 1");
  expect(verdict.rests).toEqual(["3 seeds of v2: mean 64.7, sd 14.7"]);
});

test("the best of many equal versions gains by chance: how much is said, and ten without a replication prove nothing", () => {
  const behavior: Behavior = { name: "refunds", n: 240, gradedBy: "program" };
  const tried = (k: number): VersionScore[] => [
    { v: "old", score: 90, ci: 2, n: 240, testVersion: "t1" },
    { v: "base", score: 60, ci: 2, n: 240, testVersion: "t1" },
    ...Array.from({ length: k }, (_, i) => ({ v: `v${i}`, score: 70, ci: 1.96, n: 240, testVersion: "t1" })),
  ];
  const verdict = (versions: VersionScore[], runs: ScoredRun[] = []) =>
    verdictOf({ behavior, serving: "base", versions, behaviors: [behavior, { name: "b" }], runs });
  // 1.5388 standard deviations of one point each.
  expect(verdict(tried(10))).toMatchObject({ kind: "beats", tried: 10, expectedBest: 1.5 });
  expect(verdict(tried(10)).gaps).toEqual([
    "10 versions tried on one test, of which the best gains 1.5 by chance: replicate it, or take a fresh test",
  ]);
  expect(verdict(tried(9))).toMatchObject({ tried: 9, gaps: [] });
  expect(verdict(tried(1))).toMatchObject({ tried: 1, expectedBest: null });
  // On a fresh test only its own versions were tried.
  const fresh = tried(12).map((score, i) => ({ ...score, testVersion: i === 1 || i > 11 ? "t2" : "t1" }));
  expect(verdict(fresh)).toMatchObject({ tried: 2, gaps: [] });
  const replicated = [scored("r0", "base", day(1), { b: 10 }), scored("r1", "other", day(2), { b: 90 })];
  expect(verdict(tried(10), replicated)).toMatchObject({ replicated: ["b"], gaps: [] });
  expect(
    verdictOf({
      ...{ behavior, serving: "base", behaviors: [behavior], runs: [] },
      versions: tried(10),
      rules: "compat",
    }),
  ).toMatchObject({ tried: 11, gaps: [] });
});

test("a noise floor that was measured elsewhere is said to be", () => {
  expect(verdictOn([83, 1], [70, 1], { noiseFloor: 2, noiseFloorAt: 50 }).rests).toContain(
    "noise floor measured at 50 and not at 83",
  );
  expect(verdictOn([83, 1], [70, 1], { noiseFloor: 2, noiseFloorAt: 63 }).rests).toHaveLength(2);
});

const points = fc.integer({ min: 0, max: 1000 }).map((x) => x / 10);

test("swapping the two turns beats into trails; a wider interval or a higher floor makes no claim of none", () => {
  fc.assert(
    fc.property(points, points, points, points, points, (c, cCi, s, sCi, noiseFloor) => {
      const verdict = verdictOn([c, cCi], [s, sCi], { noiseFloor }, "compat");
      const swapped = verdictOn([s, sCi], [c, cCi], { noiseFloor }, "compat");
      const turned = { beats: "trails", trails: "beats" } as Record<string, string>;
      expect(swapped.kind).toBe(turned[verdict.kind] ?? verdict.kind);
      expect(swapped.delta).toBe(verdict.delta === 0 ? 0 : -verdict.delta!);
      const stricter = verdictOn([c, cCi + 1], [s, sCi + 1], { noiseFloor: noiseFloor + 1 }, "compat");
      if (verdict.kind === "about_same" || verdict.kind === "inside_floor") {
        expect(["about_same", "inside_floor"]).toContain(stricter.kind);
      }
    }),
  );
});
