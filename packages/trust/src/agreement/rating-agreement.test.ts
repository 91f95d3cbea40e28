import { attachRatings, type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatRatingAgreement } from "./format-rating-agreement.ts";
import { lengthOfMarks } from "./length-of-marks.ts";
import { type RatingAgreementOptions, ratingAgreement } from "./rating-agreement.ts";

const JUDGE = [1, 2, 3, 4, 5, 3, 2, 4, 5, 1, 3, 3, 4, 2, 5, 4];
const PEOPLE = [1, 3, 3, 4, 4, 3, 2, 5, 5, 2, 2, 3, 5, 2, 4, 4];
const CHARS = [10, 40, 25, 30, 50, 35, 12, 20, 60, 11, 44, 13, 22, 31, 70, 15];

const share = (mark: number) => Math.round(((mark - 1) / 4) * 1e6) / 1e6;
const row = (i: number, mark: number | null, chars = 10, task = i): Row => ({
  ...{ rollout_id: `r${i}`, task_id: `t${task}`, final_text: "x".repeat(chars) },
  reward: mark === null ? null : share(mark),
});
const given = { scale: [1, 5], kind: "human" } as const;
const rated = (marks: readonly number[], people: readonly number[], perTask = 1): Row[] => {
  const rows = marks.map((mark, i) => row(i, mark, CHARS[i % CHARS.length], Math.floor(i / perTask)));
  const records = people.map((rating, i) => ({ key: `r${i}`, rating, annotator: "ana" }));
  return attachRatings(rows, records, given).rows;
};

// scikit-learn 1.9 cohen_kappa_score (quadratic, linear), krippendorff 0.9 (ordinal), scipy 1.17 spearmanr, statsmodels
// 0.15 OLS on a constant with cov_type="cluster", use_t=True for the bias; the jackknife by numpy
test("sixteen rows of eight tasks, marks 1 to 5", () => {
  const report = ratingAgreement(rated(JUDGE, PEOPLE, 2));
  expect(report).toMatchObject({
    ...{ n: 16, nTasks: 8, nUnjudged: 0, goldKind: "human", trusted: true, scale: [1, 5] },
    ...{ sameMark: 0.5625, withinOne: 1, meanAbsoluteDifference: 0.4375, judgeMean: 3.1875, goldMean: 3.25 },
  });
  const numbers = [
    [report.concordance, 0.8585858585858586],
    [report.concordanceCi95![0], 0.7578850998216026],
    [report.concordanceCi95![1], 0.9193251891521707],
    [report.kappaLinear, 0.6871508379888268],
    // Exact rationals by Gwet's table of weights.
    [report.kappaOrdinal, 0.8052173913043478],
    [report.alphaOrdinal, 0.8755716830348546],
    [report.spearman, 0.8735608474043134],
    [report.bias, -0.0625],
    [report.biasCi95![0], -0.47676141],
    [report.biasCi95![1], 0.35176141],
    [report.spreadRatio, 1.0721271014852345],
  ] as const;
  for (const [ours, theirs] of numbers) expect(ours).toBeCloseTo(theirs, 7);
});

// numpy by the definition of `lengthOfMarks`, scipy's t
test("length inside gold marks, over tasks", () => {
  const rows = rated(JUDGE, PEOPLE, 2);
  const parts = rows.map((one, i) => ({ row: one, gold: PEOPLE[i]!, judge: JUDGE[i]! }));
  const found = lengthOfMarks(
    parts,
    parts.map((_, i) => `t${Math.floor(i / 2)}`),
  )!;
  expect(found.n).toBe(12);
  expect(found.gap).toBeCloseTo(0.5, 12);
  expect(found.ci95![0]).toBeCloseTo(-0.2692123265417562, 9);
  expect(found.ci95![1]).toBeCloseTo(1.2692123265417563, 9);
  // Gold marks of uneven numbers weigh by what they can tell.
  const more = [
    ...[3, 4, 2, 5, 3].map((judge, i) => ({ judge, gold: [3, 3, 3, 4, 4][i]!, chars: [90, 80, 5, 33, 21][i]! })),
  ].map(({ judge, gold, chars }, i) => ({ row: row(16 + i, judge, chars), gold, judge }));
  const uneven = lengthOfMarks(
    [...parts, ...more],
    [...parts, ...more].map((_, i) => `t${Math.floor(i / 2)}`),
  )!;
  expect(uneven.n).toBe(17);
  expect(uneven.gap).toBeCloseTo(0.847457627118644, 12);
  expect(uneven.ci95![0]).toBeCloseTo(0.22880738244250953, 9);
  // All replies of one length part nobody.
  expect(
    lengthOfMarks(
      parts.map((part) => ({ ...part, row: row(0, 1) })),
      parts.map(String),
    ),
  ).toBeNull();
});

/** n rows on which the judge is off by `off(i)`. */
const many = (n: number, off: (i: number) => number): Row[] => {
  const people = Array.from({ length: n }, (_, i) => (i % 5) + 1);
  return rated(
    people.map((mark, i) => Math.min(5, Math.max(1, mark + off(i)))),
    people,
  );
};
const codes = (rows: readonly Row[], options: RatingAgreementOptions = {}) => {
  const { status, findings } = ratingAgreement(rows, options);
  return [status, ...findings.map(({ code, severity }) => `${severity} ${code}`)];
};
const stripped = (rows: readonly Row[]) => rows.map(({ gold_score: _, gold_ratings: __, ...rest }): Row => rest);

describe("the verdict", () => {
  test.each<[string, Row[], RatingAgreementOptions, string[]]>([
    ["one mark off now and then", many(60, (i) => (i % 4 === 1 ? 1 : 0)), {}, ["pass", "note bias"]],
    ["marks that have nothing to do with gold", many(60, (i) => ((i * 7) % 9) - 4), {}, ["fail"]],
    ["too few to tell", rated(JUDGE, PEOPLE), { minConcordance: 0.8 }, ["inconclusive", "warn coarse_sample"]],
    ["no gold", stripped(many(60, () => 0)), {}, ["not_measured", "note unmeasured"]],
    ["no rewards", many(60, () => 0).map((one) => ({ ...one, reward: null })), {}, ["not_measured", "note unmeasured"]],
    ["one mark throughout", rated(Array(60).fill(3), Array(60).fill(3)), {}, ["inconclusive", "open one_mark"]],
    [
      "a judge that keeps to the middle",
      rated(
        Array.from({ length: 60 }, (_, i) => 2.6 + 0.2 * (i % 5)),
        Array.from({ length: 60 }, (_, i) => (i % 5) + 1),
      ),
      {},
      ["fail", "fail concordance_low", "warn compressed"],
    ],
  ])("%s", (_, rows, options, expected) => {
    expect(codes(rows, options).slice(0, expected.length)).toEqual(expected);
  });

  test("rewards that are missing are no sample: over a tenth of them leaves it open", () => {
    const rows = many(60, (i) => (i % 6 === 0 ? 1 : 0)).map((one, i) => (i < 9 ? { ...one, reward: null } : one));
    expect(ratingAgreement(rows)).toMatchObject({ n: 51, nUnjudged: 9, status: "inconclusive" });
    expect(codes(rows)).toContain("open unjudged");
  });

  test("a judge that pays for length fails, whatever its concordance", () => {
    const people = Array.from({ length: 120 }, (_, i) => (i % 5) + 1);
    const rows = people.map((_, i) => row(i, null, i % 2 ? 400 : 40));
    const judged = rows.map((one, i): Row => ({ ...one, reward: share(Math.min(5, people[i]! + (i % 2))) }));
    const records = people.map((rating, i) => ({ key: `r${i}`, rating }));
    const report = ratingAgreement(attachRatings(judged, records, given).rows);
    expect(report.concordance).toBeGreaterThan(0.8);
    expect(report).toMatchObject({ status: "fail", ok: false });
    expect(report.findings.map(({ code }) => code)).toContain("length_bias");
  });

  test("marks of a model measure no judge, and beside people they are left out", () => {
    const people = many(60, (i) => (i % 4 === 1 ? 1 : 0));
    const byModel = (rows: readonly Row[]) =>
      attachRatings(
        stripped(rows),
        rows.map(({ rollout_id }, i) => ({ key: rollout_id as string, rating: (i % 5) + 1 })),
        { scale: [1, 5], kind: "model" },
      ).rows;
    expect(ratingAgreement(byModel(people))).toMatchObject({ status: "not_measured", goldKind: "model" });
    expect(ratingAgreement(byModel(people), { allowModelGold: true })).toMatchObject({ status: "pass" });
    const both = [...people.slice(0, 50), ...byModel(people).slice(50)];
    expect(ratingAgreement(both)).toMatchObject({ n: 50, nUntrusted: 10, goldKind: "human" });
  });

  test("rows that the judge was tuned on are no evidence", () => {
    const rows = many(60, () => 0).map(
      (one, i): Row => ({ ...one, lineage: { judge_split: i < 20 ? "tune" : "report" } }),
    );
    expect(ratingAgreement(rows)).toMatchObject({ n: 40, nTuned: 20 });
  });
});

test("a column of one's own holds marks, of its scale, also as text", () => {
  const rows = JUDGE.map((mark, i): Row => ({ ...row(i, mark), stars: String(PEOPLE[i]), gold_kind: "human" }));
  const report = ratingAgreement(rows, { gold: "stars", scale: [1, 5] });
  expect(report.concordance).toBeCloseTo(0.8585858585858586, 12);
  expect(() => ratingAgreement(rows, { gold: "stars" })).toThrow(/stars of r1 is 3, outside 0 to 1/);
});

test.each<[string, RatingAgreementOptions]>([
  ["scale", { scale: [5, 1] }],
  ["minConcordance", { minConcordance: 2 }],
  ["gold", { gold: "" }],
])("%s that cannot be is refused", (name, options) => {
  expect(() => ratingAgreement([], options)).toThrow(new RegExp(name));
});

test("people among themselves are the ceiling", () => {
  const rows = JUDGE.map((mark, i) => row(i, mark));
  const records = PEOPLE.flatMap((rating, i) => [
    { key: `r${i}`, rating, annotator: "ana" },
    { key: `r${i}`, rating: JUDGE[i]!, annotator: "ben" },
    ...(i < 3 ? [{ key: `r${i}`, rating, annotator: "cal" }] : []),
  ]);
  const { ceiling, scale } = ratingAgreement(attachRatings(rows, records, given).rows);
  expect(scale).toEqual([1, 5]);
  expect(ceiling).toMatchObject({ pair: ["ana", "ben"], n: 16, nRaters: 3 });
  expect(ceiling!.concordance).toBeCloseTo(0.8585858585858586, 12);
});

test("a seven-point scale survives the six digits of a reward", () => {
  const rows = [1, 2, 3, 4, 5, 6, 7].map(
    (mark, i): Row => ({
      ...row(i, 1),
      reward: Number(((mark - 1) / 6).toFixed(6)),
    }),
  );
  const records = rows.map((_, i) => ({ key: `r${i}`, rating: i + 1 }));
  const report = ratingAgreement(attachRatings(rows, records, { scale: [1, 7], kind: "human" }).rows);
  expect(report).toMatchObject({ sameMark: 1, concordance: 1, meanAbsoluteDifference: 0 });
});

test("the text says what it is, mark by mark", () => {
  const report = ratingAgreement(rated(JUDGE, PEOPLE, 2));
  expect(formatRatingAgreement(report)).toBe(
    [
      "PASS: agrees with human labels on a scale from 1 to 5",
      "  concordance 0.86 [0.76..0.92], n=16 human labels on 8 tasks, ranks 0.87, alpha 0.88",
      "  the same mark on 56%, at most one apart on 100%, kappa 0.69 linear, 0.81 ordinal",
      "  judge 3.19, gold 3.25: -0.06 [-0.48..+0.35] marks, off by 0.44 on average; spread 1.07 of gold's",
      "  long less short, where gold is the same: +0.50 [-0.27..+1.27] marks",
      "  gold 1: judge 1.00 (1.0 to 1.0) on 1",
      "  gold 2: judge 2.00 (1.0 to 3.0) on 4",
      "  gold 3: judge 2.75 (2.0 to 3.0) on 4",
      "  gold 4: judge 4.50 (4.0 to 5.0) on 4",
      "  gold 5: judge 4.33 (4.0 to 5.0) on 3",
      "! 16 marks are few: 50 to 200 are wanted",
    ].join("\n"),
  );
  expect(toWire(report)).toMatchObject({
    kappa_linear: report.kappaLinear,
    levels: [{ judge_mean: 1 }, {}, {}, {}, {}],
  });
  expect(formatRatingAgreement(ratingAgreement([]))).toBe(
    "NOT MEASURED: no row has a reward and a gold mark\n! unmeasured, not failed: no row has a gold mark: put them on with attachRatings (wai label --marks), 50 or more",
  );
});

test("rows in another order say the same, and judge and gold exchanged turn the bias", () => {
  const marks = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), {
    minLength: 6,
    maxLength: 30,
  });
  fc.assert(
    fc.property(marks, (pairs) => {
      const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
      const report = ratingAgreement(rated(a, b));
      const turned = ratingAgreement(rated(b, a));
      const reversed = ratingAgreement([...rated(a, b)].reverse());
      expect(turned.bias).toBeCloseTo(-report.bias!, 9);
      expect(reversed.status).toBe(report.status);
      expect(JSON.stringify(toWire(report))).not.toMatch(/NaN|Infinity/);
      if (report.concordance === null) return;
      expect(turned.concordance).toBeCloseTo(report.concordance, 9);
      expect(reversed.concordance).toBeCloseTo(report.concordance, 9);
    }),
  );
});
