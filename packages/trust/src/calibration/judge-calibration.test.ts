import type { Row } from "@while/schema";
import { toWire } from "@while/schema";
import { isotonicAt } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bestThreshold } from "./best-threshold.ts";
import { formatJudgeCalibration } from "./format-judge-calibration.ts";
import { judgeCalibration } from "./judge-calibration.ts";
import { stampCalibrated, stampThreshold } from "./stamp-calibrated.ts";

/** Of each ten rows with one score, `passes` are labeled 1. */
const rows = (scored: readonly (readonly [score: number, passes: number])[], more: Partial<Row> = {}): Row[] =>
  scored.flatMap(([reward, passes], group) =>
    Array.from({ length: 10 }, (_, i): Row => {
      const label = i < passes ? 1 : 0;
      return {
        ...{ task_id: `t${group}-${i}`, rollout_id: `r${group}-${i}`, reward, gold_reward: label, gold_kind: "human" },
        ...{ gold_labels: [{ label, annotator: "ann", kind: "human" }], ...more },
      };
    }),
  );

const HONEST = rows([0.1, 0.2, 0.8, 0.9, 0.1, 0.9].map((score) => [score, Math.round(10 * score)]));
const SURE = rows([
  [0.05, 4],
  [0.05, 3],
  [0.95, 7],
  [0.95, 8],
  [0.05, 2],
  [0.95, 7],
]);

test("a judge whose 0.8 comes true in eight of ten passes", () => {
  const report = judgeCalibration(HONEST);
  expect(report).toMatchObject({ ok: true, status: "pass", n: 60, nTasks: 60, goldKind: "human", findings: [] });
  expect(report.calibration.ece).toBeCloseTo(0, 12);
  expect(report.calibration.skillCi95![0]).toBeGreaterThan(0);
});

test("a judge that is too sure fails, and the whole report says by how much and what would mend it", () => {
  const report = judgeCalibration(SURE);
  expect(report.status).toBe("fail");
  expect(report.findings.map(({ code }) => code)).toEqual(["skill_unsure", "miscalibrated", "map_helps"]);
  expect(report.mapped!.ece).toBeLessThan(report.calibration.ece!);
  expect(formatJudgeCalibration(report)).toBe(`FAIL: miscalibrated
  n=60 human labels on 60 tasks; 52% pass, the judge says 50%
  Brier 0.258 [0.15..0.36], skill -0.03 [-0.45..0.39], ranks 0.72
    miscalibration 0.055, discrimination 0.047 of 0.250
  ECE 0.233, by chance 0.033, at most 0.25, p < 0.001
  scored          rows  said  came  95%
  0.00 to 0.10      30  0.05  0.30  [0.17..0.48]
  0.90 to 1.00      30  0.95  0.73  [0.56..0.86]
  mapped by other tasks: Brier 0.214, ECE 0.135
  as verdicts, a pass from 0.50 on (stampThreshold): agreement 72% [0.59..0.81] on other tasks
! skill -0.03 [-0.45..0.39]: these labels do not show that the judge says more than the base rate of 52%
! scores are off by 0.23 on average, where chance gives 0.03: of 30 rows scored about 0.05, 30% pass
! mapped by other tasks its scores would be off by 0.13, Brier 0.214 (-0.044): map them (stampCalibrated)`);
  expect(toWire(report)).toMatchObject({ n_unscored: 0, mapped: { ece_by_chance: expect.any(Number) } });
});

test("what the map makes of the rewards is what people say of them, and what the judge said stays", () => {
  const report = judgeCalibration(SURE);
  const mapped = stampCalibrated(SURE, report.map);
  expect(mapped[0]).toMatchObject({ reward: isotonicAt(report.map, 0.05), judge_meta: { raw_reward: 0.05 } });
  expect(SURE[0]!.reward).toBe(0.05);
  expect(judgeCalibration(mapped).calibration.ece).toBeCloseTo(0, 12);
  expect(stampCalibrated(mapped, report.map)).toEqual(mapped);
  const cut = stampThreshold(mapped, 0.5);
  expect(cut.map(({ reward }) => reward)).toEqual(SURE.map(({ reward }) => (reward! >= 0.5 ? 1 : 0)));
  expect(stampThreshold([{ task_id: "a" }], 0.5)).toEqual([{ task_id: "a" }]);
});

test("scores may stand in another column and on another scale", () => {
  const percent = HONEST.map(({ reward, ...row }): Row => ({ ...row, sure: 100 * reward! }));
  const report = judgeCalibration(percent, { score: "sure", scale: [0, 100] });
  expect(report).toMatchObject({ status: "pass", n: 60 });
  const [first] = stampCalibrated(percent, report.map, { score: "sure" });
  expect(first).toMatchObject({ reward: 0.1, sure: 10, judge_meta: {} });
  expect(stampThreshold(percent, 50, { score: "sure" })[59]).toMatchObject({ reward: 1 });
});

test.each<[string, Row[], object, object]>([
  ["no labels", [{ task_id: "a", reward: 0.5 }], {}, { status: "not_measured", n: 0, mapped: null, threshold: null }],
  ["no rows", [], {}, { status: "not_measured", n: 0 }],
  ["labels and no score", rows([[0.5, 5]], { reward: null }), {}, { status: "not_measured", nUnscored: 10 }],
  [
    "labels of a model",
    rows([[0.5, 5]], { gold_labels: [], gold_kind: "model" }),
    {},
    { status: "not_measured", n: 10 },
  ],
  ["gold of one class", rows([[0.5, 10]]), {}, { status: "inconclusive" }],
  [
    "verdicts alone",
    rows([
      [1, 9],
      [0, 1],
    ]),
    {},
    { status: "inconclusive" },
  ],
  [
    "fifty-fifty",
    rows([
      [0.4, 5],
      [0.6, 5],
    ]),
    {},
    { status: "inconclusive" },
  ],
  [
    "the wrong way round",
    rows([
      [0.9, 0],
      [0.1, 10],
    ]),
    {},
    { status: "fail" },
  ],
  ["tuned on", rows([[0.5, 5]], { lineage: { judge_split: "tune" } }), {}, { status: "not_measured", nTuned: 10 }],
  [
    "a model's beside a person's",
    [...HONEST, ...rows([[0.9, 0]], { gold_labels: [], gold_kind: "model" })],
    {},
    { status: "pass", n: 60, nUntrusted: 10 },
  ],
  ["four tasks", rows([[0.9, 4]]).slice(0, 4), {}, { mapped: null, threshold: null }],
])("%s", (_, given, options, expected) => {
  const report = judgeCalibration(given, options);
  expect(report).toMatchObject(expected);
  expect(formatJudgeCalibration(report)).not.toMatch(/NaN|undefined|null/);
});

test.each([
  [() => judgeCalibration(rows([[4, 5]])), /reward of r0-0 is 4, outside 0 to 1/],
  [() => judgeCalibration([], { scale: [1, 1] }), /scale is \[1,1\]/],
  [() => judgeCalibration([], { nBins: 0 }), /nBins is 0/],
  [() => judgeCalibration([], { binning: "rank" as never }), /binning is "rank"/],
  [() => judgeCalibration([], { score: "" }), /score is an empty field name/],
  [() => judgeCalibration([], { sclae: [0, 1] } as never), /sclae/],
  [() => stampThreshold([], Number.NaN), /threshold is NaN/],
  [() => stampCalibrated([], { blocks: [] }), /map was made of no rows/],
])("a wrong call is refused (%#)", (call, message) => {
  expect(call).toThrow(message);
});

test.each([
  [[0.1, 0.9], [0, 1], 0.5],
  [[0.1, 0.9], [1, 0], 0.1],
  [[0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], 0.5],
  [[0.5], [1], 0.5],
] as const)("the best threshold of %j with %j is %d", (scores, came, at) => {
  expect(bestThreshold(scores, came)).toBeCloseTo(at, 12);
});

test("no other threshold that lets something pass agrees more often", () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom<0 | 1>(0, 1)), { minLength: 1 });
  fc.assert(
    fc.property(pairs, (given) => {
      const [scores, came] = [given.map(([score]) => score), given.map(([, y]) => y)];
      const right = (at: number) => scores.filter((score, i) => Number(score >= at) === came[i]).length;
      const best = right(bestThreshold(scores, came));
      for (const score of scores) expect(best).toBeGreaterThanOrEqual(right(score));
    }),
  );
});

test("the order of rows does not matter", () => {
  const turned = judgeCalibration([...SURE].reverse());
  const report = judgeCalibration(SURE);
  expect(turned.mapped!.brier).toBeCloseTo(report.mapped!.brier, 12);
  expect(turned.threshold).toEqual(report.threshold);
  expect(turned.map).toEqual(report.map);
});
