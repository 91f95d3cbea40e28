import type { Row } from "@while/schema";
import { toWire } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { annotatorAgreement } from "./annotator-agreement.ts";

/** What each of some people said of each row; null for nothing. */
function rowsOf(said: Record<string, (number | null)[]>, fields: Partial<Row> = {}): Row[] {
  const n = Math.max(...Object.values(said).map((labels) => labels.length));
  return Array.from({ length: n }, (_, i) => ({
    task_id: `t${i}`,
    prompt: `ask ${i}`,
    ...fields,
    gold_labels: Object.entries(said).flatMap(([annotator, labels]) =>
      labels[i] == null ? [] : [{ annotator, label: labels[i]!, kind: "human" }],
    ),
  }));
}

test("two people on six rows", () => {
  const report = annotatorAgreement(rowsOf({ ana: [1, 1, 1, 1, 0, 0], ben: [1, 1, 1, 0, 0, 0] }));
  expect(report).toMatchObject({ multiLabeled: 6, unanimous: 0.8333, pair: ["ana", "ben"], nDisagreements: 1 });
  expect(report.kappa).toBeCloseTo(0.6667, 4);
  expect(report.perAnnotator.get("ana")).toEqual({ labels: 6, passShare: 0.6667 });
  expect(report.disagreements[0]).toMatchObject({
    prompt: "ask 3",
    labels: new Map(Object.entries({ ana: 1, ben: 0 })),
  });
  expect(toWire(report)).toMatchObject({ multi_labeled: 6, ceiling: { human_agreement: 5 / 6, n_human: 6 } });
});

test("of three people who all label every row, Fleiss's kappa; who labels some is left to alpha", () => {
  const three = {
    ana: [1, 1, 0, 1, 1, 0, 0, 1, 1, 0],
    ben: [1, 1, 0, 0, 1, 0, 0, 1, 1, 1],
    cy: [1, 0, 0, 0, 1, 1, 0, 1, 1, 1],
  };
  expect(annotatorAgreement(rowsOf(three)).fleiss.kappa).toBeCloseTo(0.444444, 6);
  const { fleiss } = annotatorAgreement(rowsOf({ ...three, cy: three.cy.slice(0, 3) }));
  expect(fleiss).toMatchObject({ nRaters: 2, nUnits: 7, nSkipped: 3 });
  expect(annotatorAgreement(rowsOf({ ana: [1, 0] })).fleiss).toMatchObject({ kappa: null, note: "no_pairs" });
});

test("the pair with most rows in common speaks, the first by name on a tie, and all are listed", () => {
  const report = annotatorAgreement(rowsOf({ cy: [1, 0, 1], ana: [1, 0], ben: [1, 1, 1] }));
  expect(report.pair).toEqual(["ben", "cy"]);
  expect(report.pairs.map(({ pair, n }) => [...pair, n])).toEqual([
    ["ben", "cy", 3],
    ["ana", "ben", 2],
    ["ana", "cy", 2],
  ]);
});

test("of an annotator's labels on a row the last one counts, by time where it is known", () => {
  const of = (...labels: { label: number; ts?: number }[]) =>
    annotatorAgreement([
      { gold_labels: [...labels.map((label) => ({ annotator: "ana", ...label })), { annotator: "ben", label: 1 }] },
    ]).unanimous;
  expect(of({ label: 0 }, { label: 1 })).toBe(1);
  expect(of({ label: 1, ts: 2 }, { label: 0, ts: 1 })).toBe(1);
  expect(of({ label: 1, ts: 1 }, { label: 0, ts: 2 })).toBe(0);
});

test("one label a row, or none, is no agreement", () => {
  const nothing = { multiLabeled: 0, unanimous: null, pair: null, kappa: null, ceiling: null, disagreements: [] };
  expect(annotatorAgreement([])).toMatchObject(nothing);
  expect(annotatorAgreement(rowsOf({ ana: [1, 0] }))).toMatchObject(nothing);
  expect(annotatorAgreement([{ gold_labels: null }, { gold_labels: [{ label: 0.5, annotator: "a" }] }])).toMatchObject(
    nothing,
  );
});

test("the ceiling: a judge against single people, and people against people; a model is none of them", () => {
  const rows = rowsOf({ ana: [1, 1, 0, 0], ben: [1, 0, 0, 1] }).map((row, i) => ({ ...row, reward: i < 2 ? 1 : 0 }));
  expect(annotatorAgreement(rows).ceiling).toMatchObject({
    ...{ humanAgreement: 0.5, nHuman: 4, judgeAgreement: 0.75, nJudge: 8 },
  });
  const withModel = rows.map((row) => ({
    ...row,
    gold_labels: [...row.gold_labels!, { annotator: "m", label: 1, kind: "model" }],
  }));
  expect(annotatorAgreement(withModel).ceiling).toEqual(annotatorAgreement(rows).ceiling);
});

test("who is called in only where two differ does not pull the ceiling down", () => {
  const rows = rowsOf({ ana: [1, 1, 0, 0], ben: [1, 1, 0, 1] });
  const settled = rows.map((row, i) =>
    i < 3 ? row : { ...row, gold_labels: [...row.gold_labels!, { annotator: "cy", label: 1 }] },
  );
  expect(annotatorAgreement(settled).ceiling).toEqual(annotatorAgreement(rows).ceiling);
});

test("who is named first does not matter, nor the order of the rows", () => {
  const labels = fc.array(fc.constantFrom(0, 1, null), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(labels, labels, (one, other) => {
      const report = annotatorAgreement(rowsOf({ a: one, b: other }));
      const swapped = annotatorAgreement(rowsOf({ a: other, b: one }).reverse());
      expect(swapped.unanimous).toBe(report.unanimous);
      expect(swapped.alpha.alpha ?? -9).toBeCloseTo(report.alpha.alpha ?? -9, 9);
      expect(swapped.kappa ?? -9).toBeCloseTo(report.kappa ?? -9, 9);
    }),
  );
});
