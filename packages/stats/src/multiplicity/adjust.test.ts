import fc from "fast-check";
import { expect, test } from "vitest";
import { benjaminiHochberg, benjaminiYekutieli } from "./benjamini-hochberg.ts";
import { holmAdjust } from "./holm-adjust.ts";

const SLACK = 1e-12;
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
const ALL = [holmAdjust, benjaminiHochberg, benjaminiYekutieli];

test.each(ALL)("adjusting never lowers a p-value, keeps their order, and moves with the list", (adjust) => {
  fc.assert(
    fc.property(pValues, (given) => {
      const adjusted = adjust(given);
      expect(adjusted).toHaveLength(given.length);
      for (const [i, p] of given.entries()) {
        expect(adjusted[i]).toBeGreaterThanOrEqual(p - SLACK);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        for (const [j, other] of given.entries()) {
          if (p <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]! + SLACK);
        }
      }
      expect(adjust([...given].reverse()).reverse()).toEqual(adjusted);
    }),
  );
});

test("Hochberg asks least, Holm and Yekutieli more, Bonferroni more than Holm", () => {
  fc.assert(
    fc.property(pValues, (given) => {
      const [holm, hochberg, yekutieli] = ALL.map((adjust) => adjust(given)) as [number[], number[], number[]];
      for (const [i, p] of given.entries()) {
        expect(hochberg[i]).toBeLessThanOrEqual(holm[i]! + SLACK);
        expect(hochberg[i]).toBeLessThanOrEqual(yekutieli[i]! + SLACK);
        expect(holm[i]).toBeLessThanOrEqual(Math.min(1, p * given.length) + SLACK);
      }
    }),
  );
});

test.each(ALL)("what is no p-value is refused", (adjust) => {
  expect(() => adjust([0.1, Number.NaN])).toThrow("got the p-value NaN at 1");
  expect(() => adjust([1.1])).toThrow("1.1");
});
