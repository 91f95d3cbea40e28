import { attachLabels, type Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { formatLabelConsensus } from "./format-label-consensus.ts";
import { labelConsensus } from "./label-consensus.ts";

/** Three careful annotators and two who pass everything, on rows whose truth alternates. */
function labeled(nRows: number, names: readonly string[] = ["ann", "bo", "cy", "dee", "eve"]): Row[] {
  const rows = Array.from({ length: nRows }, (_, i): Row => ({ rollout_id: `r${i}`, prompt: "p", final_text: `${i}` }));
  const labels = rows.flatMap((_, i) =>
    names.map((annotator) => {
      const truth = i % 2;
      const isCareless = annotator === "dee" || annotator === "eve";
      const errs =
        annotator === "ann" ? i % 10 === 0 : annotator === "bo" ? i % 10 === 4 : annotator === "cy" && i % 10 === 8;
      return { key: `r${i}`, annotator, label: isCareless ? 1 : errs ? 1 - truth : truth };
    }),
  );
  return attachLabels(rows, labels, { kind: "human" }).rows;
}

test("who passes everything weighs nothing: the careful decide", () => {
  const before = labeled(100);
  // One careful slip with the two makes a majority of three.
  expect(before[0]).toMatchObject({ gold_reward: 1 });
  const { rows, report } = labelConsensus(before);
  expect(rows.map((row) => row.gold_reward)).toEqual(rows.map((_, i) => i % 2));
  expect(report).toMatchObject({ note: null, nLabeled: 100, nShared: 100, nChanged: 30 });
  expect(report.changed[0]).toMatchObject({ rowKey: "r0", before: 1, after: 0 });
  const [ann, , , dee] = report.annotators;
  expect(ann!.specificity).toBeGreaterThan(0.7);
  expect(dee!.specificity).toBeLessThan(0.05);
  for (const row of rows) expect(row.gold_confidence).toBeGreaterThan(0.5);
  expect(rows[1]).toMatchObject({ gold_kind: "human", gold_labels: before[1]!.gold_labels });
  expect(formatLabelConsensus(report).split("\n").slice(0, 2)).toEqual([
    "consensus of 5 annotators on 100 rows, 50% of them good",
    expect.stringMatching(/^ {2}ann {2}passes the good 9\d%, fails the bad \d+%, 100 labels$/),
  ]);
});

describe("nothing is concluded, and the rows stay as they were,", () => {
  test.each<[string, Row[], number]>([
    ["of two annotators", labeled(100, ["ann", "bo"]), 0],
    ["of few rows", labeled(29), 29],
    ["without labels", [{ prompt: "p" }], 0],
    ["without rows", [], 0],
  ])("%s", (_what, before, nShared) => {
    const { rows, report } = labelConsensus(before);
    expect(rows).toEqual(before);
    expect(report).toMatchObject({ note: "few_shared_rows", nShared, annotators: [], prevalence: null });
    expect(formatLabelConsensus(report)).toContain(
      `${nShared} of ${before[0]?.gold_labels ? before.length : 0} labeled rows`,
    );
  });
});

test("a row without labels among labeled ones stays the same reference", () => {
  const bare: Row = { prompt: "p" };
  const { rows } = labelConsensus([bare, ...labeled(40)]);
  expect(rows[0]).toBe(bare);
  expect(rows[1]).toHaveProperty("gold_confidence");
});

test.each([{ minRows: 0 }, { minAnnotators: 1.5 }, { rows: 30 }])("the options %j are refused", (options) => {
  expect(() => labelConsensus([], options)).toThrow(/bad_option|rows|is 0|is 1.5/);
});

test("labels given anew make the confidence of before void", () => {
  const { rows } = labelConsensus(labeled(40));
  const again = attachLabels(rows, [{ key: "r1", label: 0, annotator: "zoe" }], { kind: "human" }).rows;
  expect(again[1]).not.toHaveProperty("gold_confidence");
  expect(again[2]).toHaveProperty("gold_confidence");
});
