import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { controlledRate } from "./controlled-rate.ts";

const WINS = [1, 1, 0.5, 0, 1, 0, 1, 0.5, 1, 0, 1, 1, 0, 1, 0, 0.5];
const LONGER = [0.9, 0.4, -0.2, -0.7, 0.8, -0.9, 0.1, 0.3, 0.6, -0.4, -0.3, 0.7, 0.2, 0.5, -0.6, 0];

// scipy 1.17: minimize the log likelihood plus half the log determinant of the information (Firth 1993), BFGS and then
// Nelder-Mead; numpy: inverse information, n/(n-1) the outer products of the clusters' scores and those of the
// correction, scipy's t.ppf(.975, n - 2). Rate and interval, slope and interval
test.each<[string, number[], number[], number, number[]]>([
  [
    "sixteen pairs",
    ...[WINS, LONGER, 1],
    [
      0.5619624297847977, 0.25982783409331456, 0.8242083998889491, 3.0363355045585885, 0.13642510443435896,
      5.936245904682818,
    ],
  ] as never,
  [
    "the same in clusters of two",
    ...[WINS, LONGER, 2],
    [
      0.5619624297847977, 0.24400014654633698, 0.836050831524811, 3.0363355045585885, -0.19843765168783856,
      6.271108660805016,
    ],
  ] as never,
  [
    "the longer one always wins",
    ...[[1, 1, 1, 0, 0, 0], [0.5, 0.4, 0.1, -0.1, -0.3, -0.6], 1],
    [
      0.48533025059937, 0.027795641924307585, 0.9688499861631289, 4.936811990107578, -9.47392816021167,
      19.347552140426824,
    ],
  ] as never,
])("%s", (_, outcomes, covariate, perCluster, expected) => {
  const clusters = outcomes.map((_win, i) => `t${Math.floor(i / perCluster)}`);
  const { rate, ci95, slope, slopeCi95, note } = controlledRate(outcomes, covariate, { clusters });
  expect(note).toBeNull();
  for (const [i, value] of [rate, ...ci95!, slope, ...slopeCi95!].entries()) expect(value).toBeCloseTo(expected[i]!, 5);
});

describe("what cannot be told", () => {
  test.each<[string, number[], number[], object]>([
    ["no outcome", [], [], { n: 0, rawRate: null, rate: null, note: "no_outcomes" }],
    ["one reply always the longer", [1, 0, 1], [0.2, 0.5, 0.9], { rate: null, note: "one_sided", rawRate: 2 / 3 }],
    ["no difference of length", [1, 0, 1, 1], [0, 0, 0, 0], { slope: null, slopeCi95: null, note: null }],
    ["two pairs have no interval", [1, 0], [0.5, -0.5], { ci95: null, slopeCi95: null }],
  ])("%s", (_, outcomes, covariate, expected) => {
    expect(controlledRate(outcomes, covariate)).toMatchObject(expected);
  });

  test.each([
    ["one reply wins all", 1],
    ["all are ties", 0.5],
  ])("%s: still a width", (_, outcome) => {
    const covariate = Array.from({ length: 20 }, (_one, i) => (i - 9.5) / 10);
    const { ci95 } = controlledRate(
      covariate.map(() => outcome),
      covariate,
    );
    expect(ci95![1] - ci95![0]).toBeGreaterThan(0.03);
  });

  test.each<[string, number[], number[], string]>([
    ["lists of two lengths", [1], [], "1 outcomes, 0 covariates"],
    ["an outcome over 1", [2], [0], "got 2"],
    ["a covariate without end", [1], [Number.POSITIVE_INFINITY], "got Infinity"],
  ])("%s is refused", (_, outcomes, covariate, said) => {
    expect(() => controlledRate(outcomes, covariate)).toThrow(said);
  });
});

test("without a covariate that varies it is the rate, drawn to one half by half a win and half a loss", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 2, maxLength: 40 }), (outcomes) => {
      const { rate } = controlledRate(
        outcomes,
        outcomes.map(() => 0),
      );
      const wins = outcomes.reduce<number>((total, win) => total + win, 0);
      expect(rate).toBeCloseTo((wins + 0.5) / (outcomes.length + 1), 8);
    }),
  );
});

test("sides exchanged turn everything round; the order of outcomes does not matter", () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom(0, 0.5, 1), fc.double({ min: -1, max: 1, noNaN: true })), {
    minLength: 4,
    maxLength: 30,
  });
  fc.assert(
    fc.property(pairs, (given) => {
      const [wins, x] = [given.map(([win]) => win), given.map(([, value]) => value)];
      const report = controlledRate(wins, x);
      const turned = controlledRate(
        wins.map((win) => 1 - win),
        x.map((value) => -value),
      );
      const reversed = controlledRate([...wins].reverse(), [...x].reverse());
      expect(turned.note).toBe(report.note);
      if (report.rate === null || report.ci95 === null) return;
      expect(turned.rate).toBeCloseTo(1 - report.rate, 6);
      expect(reversed.rate).toBeCloseTo(report.rate, 8);
      expect(report.ci95[0]).toBeLessThanOrEqual(report.rate);
      expect(report.ci95[1]).toBeGreaterThanOrEqual(report.rate);
      expect(Number.isFinite(report.slope ?? 0)).toBe(true);
    }),
  );
});
