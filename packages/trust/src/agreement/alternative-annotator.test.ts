import { type Row, toWire } from "@while/schema";
import { MersenneTwister, tCdf } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { alternativeAnnotator } from "./alternative-annotator.ts";

/** Rows by what the judge and each of the people say; `-` where one says nothing. */
function rowsOf(judge: string, people: Record<string, string>): Row[] {
  return [...judge].map((verdict, i) => ({
    ...{ task_id: `t${i}`, reward: verdict === "-" ? null : Number(verdict) },
    gold_labels: Object.entries(people)
      .filter(([, said]) => said[i] !== "-")
      .map(([annotator, said]) => ({ annotator, label: Number(said[i]), kind: "human" })),
  }));
}

test("by hand: in place of each of three people on five rows", () => {
  const rows = rowsOf("11100", { ana: "11000", ben: "11100", cy: "10101" });
  const { standIns } = alternativeAnnotator(rows, { minRows: 2, epsilon: 0.2 });
  const [ana, ben, cy] = standIns;
  // Instead of ana the judge is better on the third row and as good on the others; instead of ben it says the same.
  expect(ana).toMatchObject({ annotator: "ana", n: 5, judgeAsGood: 1, annotatorAsGood: 0.8 });
  expect(ben).toMatchObject({ judgeAsGood: 1, annotatorAsGood: 1 });
  // Instead of cy: better on the second (1 of 1, 0 of 1) and the last row, as good on the third.
  expect(cy).toMatchObject({ judgeAsGood: 1, annotatorAsGood: 0.6 });
  // Gaps of ana: 0, 0, -1, 0, 0, of mean -0.2, variance 0.2 and a distance of -0.4 to epsilon. Three are adjusted by
  // Benjamini and Yekutieli: ben's p is 0, then those of cy and ana.
  const [pAna, pCy] = [tCdf(-0.4 / Math.sqrt(0.2 / 5), 4), tCdf(-0.6 / Math.sqrt(0.3 / 5), 4)];
  const harmonic = 1 + 1 / 2 + 1 / 3;
  expect(ben!.pAdjusted).toBe(0);
  expect(ana!.pAdjusted).toBeCloseTo(Math.min(1, harmonic * pAna), 9);
  expect(cy!.pAdjusted).toBeCloseTo(Math.min(1, harmonic * Math.min(pAna, (3 / 2) * pCy)), 9);
});

/** Three people who are right in 0.85 each, and a judge who is right in `right`. */
function world(right: number, seed: string, n = 200): Row[] {
  const random = new MersenneTwister(seed);
  return Array.from({ length: n }, (_, i): Row => {
    const truth = random.random() < 0.5 ? 1 : 0;
    const said = (share: number) => (random.random() < share ? truth : 1 - truth);
    return {
      ...{ task_id: `t${i}`, reward: said(right) },
      gold_labels: ["ana", "ben", "cy"].map((annotator) => ({ annotator, label: said(0.85), kind: "human" })),
    };
  });
}

test.each([
  [0.85, true, 1],
  [0.95, true, 1],
  [0.5, false, 0],
])("a judge who is right in %d where people are in 0.85: passes %j", (right, passes, winningRate) => {
  const report = alternativeAnnotator(world(right, "w"));
  expect(report).toMatchObject({ passes, winningRate, note: null, n: 200 });
  expect(report.judgeAgreesWith! > report.peopleAgreeWith! - 0.06).toBe(passes);
  expect(toWire(report)).toMatchObject({ winning_rate: winningRate, stand_ins: expect.any(Array) });
});

test.each<[string, Row[], "few_people" | "few_rows"]>([
  ["two people", rowsOf("10".repeat(40), { ana: "10".repeat(40), ben: "10".repeat(40) }), "few_people"],
  ["nobody", [], "few_people"],
  ["few rows", world(0.9, "few", 29), "few_rows"],
  ["rows without a verdict", world(0.9, "w").map((row) => ({ ...row, reward: 0.5 })), "few_people"],
])("%s: no test, and why", (_, rows, note) => {
  expect(alternativeAnnotator(rows)).toMatchObject({ winningRate: null, passes: null, note });
});

test("labels of a model are no people's", () => {
  const rows = world(0.9, "w").map((row) => ({
    ...row,
    gold_labels: row.gold_labels!.map((label) => ({ ...label, kind: "model" })),
  }));
  expect(alternativeAnnotator(rows)).toMatchObject({ n: 0, judgeAgreesWith: null, peopleAgreeWith: null });
});

test("who says what all the others say is as good everywhere; the order of rows and of people does not matter", () => {
  const said = fc.string({ unit: fc.constantFrom("0", "1", "-"), minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(said, said, said, (ana, ben, cy) => {
      const judge = ana.replaceAll("-", "1");
      const rows = rowsOf(judge, { ana, ben, cy });
      const report = alternativeAnnotator(rows, { minRows: 2 });
      expect(report.standIns.find(({ annotator }) => annotator === "ana")?.judgeAsGood ?? 1).toBe(1);
      const other = alternativeAnnotator(rowsOf(judge, { cy, ben, ana }).reverse(), { minRows: 2 });
      expect(other.standIns.map(({ wins }) => wins)).toEqual(report.standIns.map(({ wins }) => wins));
      for (const { pAdjusted } of report.standIns) expect(pAdjusted).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([[{ epsilon: 1 }], [{ epsilon: -0.1 }], [{ minRows: 1 }]])("%j is refused", (options) => {
  expect(() => alternativeAnnotator([], options)).toThrow(expect.objectContaining({ code: "bad_option" }));
});
