import { controlledRate } from "@while/stats";
import { expect, test } from "vitest";
import { formatPairs } from "./format-pairs.ts";
import { judgePairs, type Pair } from "./judge-pairs.ts";
import { lengthControlled } from "./length-controlled.ts";

const pair = (i: number, chosen: number, rejected: number): Pair => ({
  prompt: `ask ${i}`,
  chosen: { final_text: "c".repeat(chosen) },
  rejected: { final_text: "r".repeat(rejected) },
});

test("the covariate is tanh of the difference of characters over its root mean square", () => {
  const lengths = [
    [40, 10],
    [10, 40],
    [30, 30],
    [90, 20],
    [20, 35],
    [50, 45],
  ] as const;
  const scores = [1, 0, 0.5, 1, 1, 0];
  const gaps = lengths.map(([a, b]) => a - b);
  const size = Math.sqrt(gaps.reduce((total, gap) => total + gap * gap, 0) / gaps.length);
  const expected = controlledRate(
    scores,
    gaps.map((gap) => Math.tanh(gap / size)),
  );
  const found = lengthControlled(lengths.map(([a, b], i) => ({ ...pair(i, a, b), score: scores[i]! })))!;
  expect(found).toMatchObject({ n: 6, nUnequal: 5, nLongerWins: 3, note: null });
  expect(found.rate).toBe(expected.rate);
  expect(found.slopeCi95).toEqual(expected.slopeCi95);
});

test("replies of one length tell nothing of length", () => {
  expect(lengthControlled([])).toBeNull();
  expect(lengthControlled([0, 1, 2].map((i) => ({ ...pair(i, 20, 20), score: 1 })))).toBeNull();
});

test("pairs of one task are one draw", () => {
  const pairs = Array.from({ length: 24 }, (_, i) => ({
    ...pair(i % 6, 20 + (i % 5) * 10, 40),
    score: i % 3 === 0 ? 0 : 1,
  }));
  const apart = pairs.map((one, i) => ({ ...one, prompt: `own ${i}` }));
  const width = (ci95: readonly [number, number] | null) => ci95![1] - ci95![0];
  expect(lengthControlled(pairs)!.rate).toBeCloseTo(lengthControlled(apart)!.rate!, 12);
  expect(width(lengthControlled(pairs)!.ci95)).not.toBeCloseTo(width(lengthControlled(apart)!.ci95), 6);
});

test("a judge that prefers the longer reply is told from one that prefers the chosen", async () => {
  // Chosen is the longer one in 40 of 50 pairs, and the judge looks at nothing else.
  const pairs = Array.from({ length: 50 }, (_, i) => (i < 40 ? pair(i, 60 + i, 20) : pair(i, 20, 60 + i)));
  const { report } = await judgePairs(pairs, (a, b) => ({
    winner: String(a.final_text).length > String(b.final_text).length ? "A" : "B",
  }));
  expect(report.winRate).toBe(0.8);
  expect(report.lengthControlled).toMatchObject({ nUnequal: 50, nLongerWins: 50 });
  expect(report.warnings.map(({ code }) => code)).toContain("length_bias");
  const text = formatPairs(report);
  expect(text).toMatch(/\n {2}at equal length \d\d% \[0\.\d\d\.\.0\.\d\d\]; the longer reply won 50 of 50\n/);
  expect(text).toContain(
    "! length bias: the longer reply wins 50 of 50 pairs of unequal length; with both equally long",
  );

  const honest = await judgePairs(pairs, (a, b) => ({
    winner: String(a.final_text) > String(b.final_text) ? "B" : "A",
  }));
  expect(honest.report).toMatchObject({ winRate: 1 });
  expect(honest.report.warnings).toEqual([]);
});

test("where one side is always the longer, equal length is out of sight", async () => {
  const pairs = Array.from({ length: 10 }, (_, i) => pair(i, 60 + i, 20));
  const { report } = await judgePairs(pairs, () => ({ winner: "tie" }));
  expect(report.lengthControlled).toMatchObject({ rate: null, note: "one_sided" });
  expect(formatPairs(report)).toContain("  at equal length: not known, one side is the longer one throughout");
});
