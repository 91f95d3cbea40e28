import type { Row } from "@while/schema";
import { toWire } from "@while/schema";
import { binomialCdf, wilsonInterval } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { correctedPassRate } from "./corrected-pass-rate.ts";
import { labelBudget } from "./label-budget.ts";

test("a budget does what it says: at its size the power is there, and one label fewer it is not for good", () => {
  fc.assert(
    fc.property(fc.integer({ min: 84, max: 99 }), fc.integer({ min: 50, max: 80 }), (percent, floor) => {
      const { n, minAgreeing } = labelBudget({ agreement: percent / 100, floor: floor / 100 });
      const power = (size: number) => {
        let needed = 0;
        while (needed <= size && wilsonInterval(needed, size)![0] < floor / 100) needed++;
        return needed > size ? 0 : 1 - (needed === 0 ? 0 : binomialCdf(needed - 1, size, percent / 100));
      };
      for (let size = n!; size <= n! + 5; size++) expect(power(size)).toBeGreaterThanOrEqual(0.8);
      if (n! > 1)
        expect(Math.min(...[1, 2, 3, 4, 5, 6].map((back) => power(n! - back > 0 ? n! - back : 1)))).toBeLessThan(0.8);
      expect(wilsonInterval(minAgreeing!, n!)![0]).toBeGreaterThanOrEqual(floor / 100);
    }),
    { numRuns: 40 },
  );
});

test("more agreement needs fewer labels, and at the floor no number does", () => {
  const sizes = [0.84, 0.88, 0.92, 0.96, 1].map((agreement) => labelBudget({ agreement }).n!);
  expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
  expect(labelBudget({ agreement: 0.8 })).toMatchObject({ n: null, minAgreeing: null });
  expect(labelBudget({ agreement: 0.84, maxLabels: 100 }).n).toBeNull();
  expect(() => labelBudget({ agreement: 1.1 })).toThrow(expect.objectContaining({ code: "bad_option" }));
});

function rows({ tp = 0, fp = 0, fn = 0, tn = 0, passes = 0, fails = 0 }): Row[] {
  const cell = (n: number, row: Row): Row[] => Array.from({ length: n }, () => row);
  const gold = (label: number) => ({ gold_reward: label, gold_kind: "human" });
  return [
    ...cell(tp, { reward: 1, ...gold(1) }),
    ...cell(fp, { reward: 1, ...gold(0) }),
    ...cell(fn, { reward: 0, ...gold(1) }),
    ...cell(tn, { reward: 0, ...gold(0) }),
    ...cell(passes, { reward: 1 }),
    ...cell(fails, { reward: 0 }),
  ];
}

test("a judge that is right on 97 of 100 passes and 75 of 100 fails has passed some too many", () => {
  const report = correctedPassRate(rows({ tp: 78, fp: 10, fn: 2, tn: 30, passes: 232, fails: 48 }));
  expect(report).toMatchObject({ observed: 0.8, nJudged: 400, nLabeled: 120, note: null });
  expect(report.roganGladen!.estimate).toBeCloseTo(0.758621, 6);
  expect(report.roganGladen!.ci95![0]).toBeCloseTo(0.679874, 6);
  expect(report.predictionPowered!.estimate).toBeLessThan(0.8);
  expect(toWire(report)).toHaveProperty("prediction_powered.lambda");
});

test("few labels and many verdicts", () => {
  const { predictionPowered } = correctedPassRate(rows({ tp: 40, fp: 5, fn: 10, tn: 45, passes: 330, fails: 270 }));
  expect(predictionPowered!.estimate).toBeCloseTo(0.56083, 6);
  expect(predictionPowered!.se).toBeCloseTo(0.038114, 6);
  expect(predictionPowered!.lambda).toBeCloseTo(0.608298, 6);
});

test.each([
  ["no labels", rows({ passes: 5, fails: 5 }), "no_labels"],
  ["nothing", [], "no_labels"],
  ["a model's labels", rows({ tp: 20, tn: 20 }).map((row) => ({ ...row, gold_kind: "model" })), "no_labels"],
  ["gold of one class", rows({ tp: 20, fn: 2 }), "one_class"],
  ["a judge that passes what it is shown", rows({ tp: 124, fp: 58, fn: 24, tn: 15 }), "no_information"],
])("%s: the reason, and no number", (_, own, note) => {
  expect(correctedPassRate(own)).toMatchObject({ roganGladen: null, note });
});
