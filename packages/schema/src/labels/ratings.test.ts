import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateRow } from "../checks/validate-row.ts";
import type { Row } from "../row.ts";
import { attachRatings, latestRatings } from "./attach-ratings.ts";
import { formatLabels } from "./format-labels.ts";
import { LabelError } from "./label-error.ts";

const human = { scale: [1, 5], kind: "human", now: 100 } as const;
const ROWS: readonly Row[] = [
  { scenario_id: "s1", rollout_index: 0, prompt: "A", final_text: "x" },
  { scenario_id: "s1", rollout_index: 1, prompt: "A", final_text: "z" },
  { rollout_id: "r-3", prompt: "C", final_text: "v" },
];

describe("a mark", () => {
  test("is kept as it was given, and its mean as a share of the scale", () => {
    const { rows, report } = attachRatings(
      ROWS,
      [
        { key: "s1#0", rating: 4, annotator: "ana" },
        { key: "s1#0", label: 5, annotator: "ben" },
        { key: "r-3", score: 1, annotator: "ana", note: "made up" },
      ],
      human,
    );
    expect(rows[0]).toMatchObject({
      gold_score: 0.875,
      gold_ratings: [
        { rating: 4, scale: [1, 5], annotator: "ana", kind: "human", ts: 100 },
        { rating: 5, scale: [1, 5], annotator: "ben", kind: "human", ts: 100 },
      ],
    });
    expect(rows[1]).toBe(ROWS[1]);
    expect(rows[2]).toMatchObject({ gold_score: 0, gold_ratings: [{ note: "made up" }] });
    expect(report).toMatchObject({ labels: 3, matched: 3, rowsLabeled: 2, annotators: ["ana", "ben"], warnings: [] });
    expect(formatLabels(report)).toBe("3 of 3 labels on 2 rows by ana, ben");
    for (const row of rows) expect(validateRow(row)).toEqual([]);
  });

  test("given again replaces the first, and another kind of rater is another one", () => {
    const once = attachRatings(ROWS, [{ key: "s1#0", rating: 1, annotator: "ana" }], human).rows;
    const again = attachRatings(once, [{ key: "s1#0", rating: 5, annotator: "ana" }], { ...human, now: 200 }).rows;
    expect(again[0]).toMatchObject({ gold_score: 1 });
    expect(again[0]!.gold_ratings).toHaveLength(2);
    const program = attachRatings(again, [{ key: "s1#0", rating: 3, annotator: "ana" }], {
      scale: [1, 5],
      kind: "program",
    });
    expect(program.rows[0]).toMatchObject({ gold_score: 0.75 });
    const anew = attachRatings(again, [{ key: "s1#0", rating: 2 }], { ...human, replace: true }).rows;
    expect(anew[0]!.gold_ratings).toHaveLength(1);
  });

  test("beside the scale, or no number, is counted and not used", () => {
    const { rows, report } = attachRatings(
      ROWS,
      [
        { key: "s1#0", rating: 6 },
        { key: "s1#1", rating: "4" },
        { key: "r-3", rating: 3 },
      ],
      human,
    );
    expect(rows[0]).toBe(ROWS[0]);
    expect(report).toMatchObject({ matched: 1, invalid: 2, invalidExamples: ["6", '"4"'] });
    expect(report.warnings[0]!.text).toBe('2 ratings are no mark from 1 to 5 (6, "4") and not used.');
  });

  test("whose rater nobody named is a person's, and said", () => {
    const { report } = attachRatings(ROWS, { "r-3": 3, elsewhere: 2 }, { scale: [1, 5] });
    expect(report.warnings.map(({ code }) => code)).toEqual(["labels_unmatched", "label_kind_assumed"]);
  });
});

test.each<[string, unknown]>([
  ["one number", [5]],
  ["the higher first", [5, 1]],
  ["text", ["1", "5"]],
  ["none", undefined],
])("a scale that is %s is refused", (_what, scale) => {
  expect(() => attachRatings(ROWS, [], { scale: scale as [number, number] })).toThrow(/scale is/);
});

test("a key of two rows, and keys of none, are refused before a row is written", () => {
  expect(() => attachRatings(ROWS, [{ prompt: "A", rating: 3 }], human)).toThrow(LabelError);
  expect(() => attachRatings(ROWS, [{ key: "nobody", rating: 3 }], human)).toThrow(LabelError);
});

test("ratings read back from a file that are no marks are left out", () => {
  expect(latestRatings([{ rating: 9, scale: [1, 5] }, { rating: 0.5 }, { rating: 2, scale: [5, 1] }])).toEqual([
    { rating: 0.5 },
  ]);
});

test("a person's mark is not averaged with a model's, unless all count", () => {
  const records = [
    { key: "r-3", rating: 5, kind: "human" },
    { key: "r-3", rating: 1, kind: "model" },
  ];
  const score = (options: object) => attachRatings(ROWS, records, { scale: [1, 5], ...options }).rows[2]!.gold_score;
  expect([score({}), score({ voters: "all" })]).toEqual([1, 0.5]);
});

test("the score is a share, whatever the marks", () => {
  const marks = fc.array(fc.double({ min: -3, max: 7, noNaN: true }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(marks, (ratings) => {
      const records = ratings.map((rating, i) => ({ key: "r-3", rating, annotator: `a${i}` }));
      const score = attachRatings(ROWS, records, { ...human, scale: [-3, 7] }).rows[2]!.gold_score!;
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }),
  );
});
