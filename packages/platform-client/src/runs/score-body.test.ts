import { expect, test } from "vitest";
import { scoreBody } from "./score-body.ts";

const codes = (...args: Parameters<typeof scoreBody>) =>
  scoreBody(...args).warnings.map(({ code }) => code.split(":")[0]);

test.each([
  [0.71, 0.04, 71, 4],
  [0.7125, 0.0405, 71.2, 4],
  [1, 0, 100, 0],
  [0.615, 0.0375, 61.5, 3.8],
])("with fraction %d ± %d is posted as %d ± %d", (score, ci, points, half) => {
  expect(scoreBody("b", score, { ci, n: 90, fraction: true }).score).toMatchObject({ score: points, ci: half });
});

test.each([71, -0.1])("with fraction %d is refused", (score) => {
  expect(() => scoreBody("b", score, { fraction: true })).toThrow("Leave fraction out");
});

test.each([
  [83, { ci: 2, n: 240 }, []],
  [83, {}, ["no_ci", "no_n"]],
  [83, { ci: 2, n: 49 }, ["small_n"]],
  [0.71, { ci: 0.04, n: 90 }, ["share"]],
  [0, { ci: 1, n: 90 }, []],
  [1, { ci: 1, n: 90 }, []],
])("%d with %j warns of %j", (score, options, warnings) => {
  expect(codes("b", score, options)).toEqual(warnings);
});

test.each([
  [Number.NaN, {}],
  [Number.POSITIVE_INFINITY, {}],
  ["83" as never, {}],
  [83, { ci: -1 }],
  [83, { n: 0 }],
  [83, { examples: Array.from({ length: 21 }, () => ({ ok: true })) }],
  [83, { rows: Array.from({ length: 20_001 }, () => ({ ok: true })) }],
  [83, { rows: [{ prompt: "p" } as never] }],
])("%d with %o is refused before any call", (score, options) => {
  expect(() => scoreBody("b", score, options)).toThrow(expect.objectContaining({ code: "bad_value" }));
});

test("a score that its rows do not bear out is warned of", () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({ ok: i < 60 }));
  expect(codes("b", 61, { ci: 2, n: 100, rows })).toEqual([]);
  expect(codes("b", 83, { ci: 2, n: 100, rows })).toEqual(["rows_differ"]);
  expect(codes("b", 83, { ci: 2, n: 100, rows: [] })).toEqual([]);
});

test("a behavior without a name that a path can carry is refused", () => {
  expect(() => scoreBody("refund policy", 83)).toThrow("behavior is not 1 to 64 letters");
});

test("given rows, the sample is drawn from them; given examples, they are the sample", () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ ok: i >= 30, prompt: `${i}`, reply: "x".repeat(3000) }));
  const drawn = scoreBody("b", 50, { ci: 1, n: 60, rows });
  expect(drawn.score.examples?.map(({ prompt }) => prompt)).toEqual([
    ...Array.from({ length: 14 }, (_, i) => `${i}`),
    ...["30", "31", "32", "33", "34", "35"],
  ]);
  expect([drawn.rows![0]!.reply!.length, drawn.score.examples![0]!.reply!.length]).toEqual([2000, 1200]);
  expect(drawn.warnings[0]!.message).toContain("reply is stored up to 2000 characters");
  const own = [{ ok: true, why: "w" }];
  expect(scoreBody("b", 50, { ci: 1, n: 60, rows, examples: own }).score.examples).toEqual(own);
});
