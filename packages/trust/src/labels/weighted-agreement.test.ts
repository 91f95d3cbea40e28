import { type Row, toWire } from "@while/schema";
import { cohenKappa, kappaStandardError, MersenneTwister, wilsonInterval } from "@while/stats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moverShare, moverSum } from "./mover.ts";
import { weightedAgreement } from "./weighted-agreement.ts";

interface Cells {
  tp?: number;
  fp?: number;
  fn?: number;
  tn?: number;
  /** Without a label. */
  passes?: number;
  fails?: number;
}

function rows({ tp = 0, fp = 0, fn = 0, tn = 0, passes = 0, fails = 0 }: Cells, fields: Partial<Row> = {}): Row[] {
  const cell = (n: number, reward: 0 | 1, gold: 0 | 1 | null): Row[] =>
    Array.from({ length: n }, () => ({
      ...fields,
      reward,
      ...(gold === null ? {} : { gold_reward: gold, gold_kind: "human" }),
    }));
  return [
    ...[...cell(tp, 1, 1), ...cell(fp, 1, 0), ...cell(fn, 0, 1), ...cell(tn, 0, 0)],
    ...[...cell(passes, 1, null), ...cell(fails, 0, null)],
  ];
}

/**
 * Scans of livers, of which those that looked ill were looked into more often: the example by which Begg and Greenes'
 * correction is taught (Drum and Christiacopoulos 1972).
 */
const LIVERS = rows({ tp: 231, fp: 32, fn: 27, tn: 54, passes: 166, fails: 140 });

test("a scan that was checked where it looked ill: 0.90 and 0.63 are 0.84 and 0.74", () => {
  const report = weightedAgreement(LIVERS);
  const [ill, illThough] = [429 * (231 / 263), 221 * (27 / 81)];
  const [well, wellThough] = [221 * (54 / 81), 429 * (32 / 263)];
  expect(report.tpr).toBeCloseTo(ill / (ill + illThough), 12);
  expect(report.tnr).toBeCloseTo(well / (well + wellThough), 12);
  expect([report.tpr!.toFixed(2), report.tnr!.toFixed(2)]).toEqual(["0.84", "0.74"]);
  expect(231 / 258).toBeCloseTo(0.9, 2);
  expect(54 / 86).toBeCloseTo(0.63, 2);
  // By the delta method on the logit, as the two of them have it, but for the draw of the 650.
  const logit = Math.log(report.tpr! / (1 - report.tpr!));
  const half = 1.96 * Math.sqrt(32 / (263 * 231) + 54 / (81 * 27));
  expect(report.tprCi95![0]).toBeCloseTo(1 / (1 + Math.exp(half - logit)), 2);
  expect(report.tprCi95![1]).toBeCloseTo(1 / (1 + Math.exp(-half - logit)), 2);
  expect(report.agreement).toBeCloseTo((429 * (231 / 263) + 221 * (54 / 81)) / 650, 12);
  expect(report).toMatchObject({ nJudged: 650, nLabeled: 344, uneven: true, note: null });
  expect(toWire(report)).toHaveProperty("p_drawn_alike");
});

test("every row labeled: the plain shares, and intervals about as wide", () => {
  const table = { tp: 60, fp: 12, fn: 8, tn: 40 };
  const report = weightedAgreement(rows(table));
  expect(report).toMatchObject({ uneven: false, pDrawnAlike: 1, labeledOfPasses: 1, labeledOfFails: 1 });
  expect(report.agreement).toBeCloseTo(100 / 120, 12);
  expect(report.tpr).toBeCloseTo(60 / 68, 12);
  expect(report.tnr).toBeCloseTo(40 / 52, 12);
  expect(report.kappa).toBeCloseTo(cohenKappa(table)!, 12);
  const width = ([low, high]: readonly [number, number]) => high - low;
  expect(width(report.agreementCi95!) / width(wilsonInterval(100, 120)!)).toBeCloseTo(1, 1);
  expect(width(report.kappaCi95!) / width(kappaStandardError(table)!.ci95!)).toBeCloseTo(1, 1);
});

test("twice the design effect is 1.41 times the distance from the estimate", () => {
  const once = weightedAgreement(LIVERS);
  const twice = weightedAgreement(LIVERS, { designEffect: 2 });
  expect(twice.agreement).toBe(once.agreement);
  const below = ({ agreement, agreementCi95 }: typeof once) => agreement! - agreementCi95![0];
  expect(below(twice) / below(once)).toBeCloseTo(Math.SQRT2, 6);
  expect(twice.tprCi95![0]).toBeLessThan(once.tprCi95![0]);
});

test.each<[string, Row[], string]>([
  ["no row has a label", rows({ passes: 5, fails: 5 }), "no_labels"],
  ["there are no rows", [], "no_labels"],
  ["a verdict has no label", rows({ tp: 20, fp: 2, passes: 5, fails: 5 }), "no_label_of_a_verdict"],
  ["a model labeled", rows({ tp: 20, tn: 20 }).map((row) => ({ ...row, gold_kind: "model" })), "no_labels"],
])("where %s nothing is known, and why", (_, own, note) => {
  expect(weightedAgreement(own)).toMatchObject({ agreement: null, tpr: null, tnr: null, kappa: null, note });
});

test("a judge of one verdict has an agreement, and is right on none of the other class", () => {
  expect(weightedAgreement(rows({ tp: 20, fp: 5, passes: 5 }))).toMatchObject({
    ...{ agreement: 0.8, tpr: 1, tnr: 0, kappa: null, pDrawnAlike: null, uneven: false },
  });
});

test("rows that the judge is unsure of are a stratum of their own once labels are in both", () => {
  const sure = rows({ tp: 19, fp: 1, tn: 20, passes: 180, fails: 200 });
  const unsure = rows({ tp: 5, fp: 5, fn: 5, tn: 5, passes: 10, fails: 10 }, { judge_meta: { unsure: true } });
  const { strata, agreement } = weightedAgreement([...sure, ...unsure]);
  expect(strata.map(({ verdict, unsure, nRows }) => [verdict, unsure, nRows])).toEqual([
    ...[
      [1, false, 200],
      [1, true, 20],
      [0, false, 220],
      [0, true, 20],
    ],
  ]);
  expect(agreement).toBeCloseTo((200 * 0.95 + 20 * 0.5 + 220 + 20 * 0.5) / 460, 12);
});

test("estimates lie in their intervals, intervals in [0, 1], nothing is NaN, and the order of rows does not matter", () => {
  const cells = fc.record({
    ...{ tp: fc.nat(9), fp: fc.nat(9), fn: fc.nat(9), tn: fc.nat(9), passes: fc.nat(30), fails: fc.nat(30) },
  });
  fc.assert(
    fc.property(cells, (own) => {
      const report = weightedAgreement(rows(own));
      expect(weightedAgreement(rows(own).reverse())).toEqual(report);
      for (const [value, ci95, floor] of [
        [report.agreement, report.agreementCi95, 0],
        [report.tpr, report.tprCi95, 0],
        [report.tnr, report.tnrCi95, 0],
        [report.kappa, report.kappaCi95, -1],
      ] as const) {
        expect(value === null).toBe(ci95 === null);
        if (value === null || ci95 === null) continue;
        expect(ci95[0]).toBeGreaterThanOrEqual(floor);
        expect(ci95[0]).toBeLessThanOrEqual(value + 1e-12);
        expect(ci95[1]).toBeGreaterThanOrEqual(value - 1e-12);
        expect(ci95[1]).toBeLessThanOrEqual(1);
      }
    }),
  );
});

describe("putting limits together", () => {
  test("of one estimate the sum is that estimate's own interval", () => {
    const { estimate, ci95 } = moverSum([{ estimate: 0.4, ci95: [0.3, 0.6], weight: 1 }]);
    expect([estimate, ...ci95]).toEqual([0.4, expect.closeTo(0.3, 12), expect.closeTo(0.6, 12)]);
  });

  test("a share whose rest was never seen is 1, and may be less", () => {
    const share = moverShare({ estimate: 0.5, ci95: [0.4, 0.6] }, { estimate: 0, ci95: [0, 0.1] })!;
    expect(share.estimate).toBe(1);
    expect(share.ci95[1]).toBe(1);
    expect(share.ci95[0]).toBeGreaterThan(0.78);
    expect(share.ci95[0]).toBeLessThan(0.9);
    expect(moverShare({ estimate: 0, ci95: [0, 0.1] }, { estimate: 0, ci95: [0, 0.1] })).toBeNull();
  });

  test("the intervals hold the truth in 95 of 100 samples, where one verdict has four times the labels of the other", () => {
    const random = new MersenneTwister("weighted");
    const [share, right, wrong] = [0.8, 0.9, 0.25];
    const truth = { agreement: share * right + (1 - share) * (1 - wrong), tpr: 0, tnr: 0 };
    truth.tpr = (share * right) / (share * right + (1 - share) * wrong);
    truth.tnr = ((1 - share) * (1 - wrong)) / ((1 - share) * (1 - wrong) + share * (1 - right));
    const held = { agreement: 0, tpr: 0, tnr: 0 };
    const count = (n: number, p: number) => Array.from({ length: n }, () => random.random() < p).filter(Boolean).length;
    for (let i = 0; i < 400; i++) {
      const [tp, fn] = [count(40, right), count(160, wrong)];
      const own = rows({ tp, fp: 40 - tp, fn, tn: 160 - fn, passes: 760, fails: 40 });
      const report = weightedAgreement(own);
      for (const name of ["agreement", "tpr", "tnr"] as const) {
        const [low, high] = report[`${name}Ci95`]!;
        if (low <= truth[name] && truth[name] <= high) held[name]++;
      }
    }
    for (const n of Object.values(held)) {
      expect(n).toBeGreaterThan(368);
      expect(n).toBeLessThan(396);
    }
  });
});
