import fc from "fast-check";
import { expect, test } from "vitest";
import { ppiMean } from "./ppi-mean.ts";
import { roganGladen } from "./rogan-gladen.ts";

const bit = fc.integer({ min: 0, max: 1 });
const labeled = fc.array(fc.tuple(bit, bit), { minLength: 2, maxLength: 40 });
const unlabeled = fc.array(bit, { minLength: 2, maxLength: 80 });
const inputs = fc.tuple(labeled, unlabeled).map(([pairs, judgeUnlabeled]) => ({
  gold: pairs.map(([label]) => label),
  judgeOnGold: pairs.map(([, verdict]) => verdict),
  judgeUnlabeled,
}));

test("lambda 0 is the labels alone", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { estimate, se, humanOnly } = ppiMean(input, { lambda: 0 })!;
      expect({ estimate, se }).toEqual(humanOnly);
    }),
  );
});

test("a judge that is always right at lambda 1 is its own mean on the unlabeled rows", () => {
  fc.assert(
    fc.property(inputs, ({ gold, judgeUnlabeled }) => {
      const { estimate, judgeOnly } = ppiMean({ gold, judgeOnGold: gold, judgeUnlabeled }, { lambda: 1 })!;
      expect(estimate).toBeCloseTo(judgeOnly, 12);
    }),
  );
});

test("a judge that is off by the same amount everywhere changes nothing", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const report = ppiMean(input)!;
      const shifted = ppiMean({
        gold: input.gold,
        judgeOnGold: input.judgeOnGold.map((verdict) => verdict + 3),
        judgeUnlabeled: input.judgeUnlabeled.map((verdict) => verdict + 3),
      })!;
      expect(shifted.estimate).toBeCloseTo(report.estimate, 10);
      expect(shifted.se).toBeCloseTo(report.se, 10);
      expect(report.lambda).toBeGreaterThanOrEqual(0);
      expect(report.lambda).toBeLessThanOrEqual(1);
    }),
  );
});

test("a judge that says one thing of every row is not leaned on", () => {
  expect(ppiMean({ gold: [1, 0, 1], judgeOnGold: [1, 1, 1], judgeUnlabeled: [1, 1] })).toMatchObject({ lambda: 0 });
});

test("too few rows measure nothing, and what is no number is refused", () => {
  expect(ppiMean({ gold: [1], judgeOnGold: [1], judgeUnlabeled: [1, 0] })).toBeNull();
  expect(ppiMean({ gold: [1, 0], judgeOnGold: [1, 0], judgeUnlabeled: [1] })).toBeNull();
  expect(() => ppiMean({ gold: [1], judgeOnGold: [], judgeUnlabeled: [] })).toThrow("1 labels and 0 verdicts");
  expect(() => ppiMean({ gold: [1], judgeOnGold: [Number.NaN], judgeUnlabeled: [] })).toThrow("NaN");
  expect(() => ppiMean({ gold: [], judgeOnGold: [], judgeUnlabeled: [] }, { lambda: 2 })).toThrow("lambda is 2");
});

test("roganGladen undoes the errors it is told of", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), (truth) => {
      // A judge right on 90 of 100 good and 80 of 100 bad rows, on 10,000 rows of which `truth` percent are good.
      const judgePasses = 90 * truth + 20 * (100 - truth);
      const report = roganGladen({ judgePasses, n: 10_000, truePos: 90, goldPass: 100, trueNeg: 80, goldFail: 100 });
      expect(report.estimate).toBeCloseTo(truth / 100, 12);
    }),
  );
});

test("a perfect judge is its own pass rate", () => {
  const { estimate, se } = roganGladen({ judgePasses: 6, n: 10, truePos: 9, goldPass: 9, trueNeg: 9, goldFail: 9 });
  expect(estimate).toBeCloseTo(0.6, 12);
  expect(se).toBeCloseTo(Math.sqrt(0.024), 12);
});

test.each([
  [{ judgePasses: 0, n: 0, truePos: 9, goldPass: 10, trueNeg: 9, goldFail: 10 }, "no_rows"],
  [{ judgePasses: 5, n: 10, truePos: 9, goldPass: 10, trueNeg: 0, goldFail: 0 }, "one_class"],
  [{ judgePasses: 5, n: 10, truePos: 9, goldPass: 10, trueNeg: 1, goldFail: 10 }, "uninformative"],
] as const)("what cannot be corrected is null: %o", (input, note) => {
  expect(roganGladen(input)).toMatchObject({ estimate: null, raw: null, se: null, ci95: null, note });
});

test("counts are checked", () => {
  const input = { judgePasses: 5, n: 10, truePos: 11, goldPass: 10, trueNeg: 9, goldFail: 10 };
  expect(() => roganGladen(input)).toThrow("11 successes of 10");
});
