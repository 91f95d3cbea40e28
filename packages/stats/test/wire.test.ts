import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import {
  anovaIcc,
  asymptoticConfidenceSequence,
  calibration,
  clusteredStandardError,
  compareRuns,
  datasetReport,
  deltaReport,
  differenceInterval,
  effectiveRaters,
  evalPower,
  evalVariance,
  groupSignal,
  heterogeneityQ,
  holdoutSize,
  holdoutSizeT,
  holdoutSummary,
  kappaStandardError,
  krippendorffAlpha,
  labelAgreement,
  logprobReport,
  markerSummary,
  maxTSignFlip,
  meanKl,
  nonInferiority,
  passAt,
  passAtBy,
  posteriorPassK,
  ppiMean,
  rolloutVarianceSplit,
  signTestEValue,
  stalenessReport,
  stratifiedExactTest,
  tostPaired,
  withinGroupCorrelation,
} from "../src/index.ts";

const ROWS: Row[] = ["a", "b", "c"].flatMap((task_id, i) =>
  [1, 0, 1, i % 2].map((reward): Row => ({ task_id, reward, tier: "easy", markers: { brief: reward } })),
);

test("the wire form of passAt has the keys of the Python SDK and ours beside them", () => {
  const wire = toWire(passAt(ROWS)) as Record<string, unknown>;
  const python = [
    "k",
    "pass_at_1",
    "pass_pow_k",
    "pass_at_k",
    "headroom",
    "n_groups",
    "n_groups_at_k",
    "n_groups_imputed",
    "n_rows",
    "note",
    "ci95",
    "pass_pow_k_ci95",
    "pass_at_k_ci95",
    "config",
  ];
  const ours = [
    "inference",
    "ci_method",
    "pass_pow_k_ci_method",
    "pass_at_k_ci_method",
    "n_rows_total",
    "n_tasks_total",
    "n_partial",
    "n_ungraded",
    "n_lost",
    "pass_at_1_ungraded_as_fail",
    "debiased_pass_at_1",
    "debiased_ci95",
    "n_gold",
    "n_without_key",
    "n_repeated",
    "n_copied_tasks",
    "per_task",
    "warnings",
    "curve",
  ];
  expect(Object.keys(wire).sort()).toEqual([...python, ...ours].sort());
  expect(wire.per_task).toEqual({ a: 0.5, b: 0.75, c: 0.5 });
  expect(Object.keys((wire.curve as object[])[0]!)).toEqual([
    "k",
    "pass_pow_k",
    "pass_pow_k_ci95",
    "pass_pow_k_ci_method",
    "pass_at_k",
    "pass_at_k_ci95",
    "pass_at_k_ci_method",
    "n_groups",
  ]);
  expect(JSON.stringify(wire)).not.toContain("NaN");
});

test.each([
  // report, a key of its wire form
  [labelAgreement([1, 0], [1, 0]), "pass_when_gold_fail"],
  [kappaStandardError({ tp: 3, fp: 1, fn: 1, tn: 3 }), "se_null"],
  [krippendorffAlpha([[0, 1]]), "n_ratings"],
  [calibration([0.5], [1]), "ece_by_chance"],
  [effectiveRaters([[1], [0]]), "n_effective"],
  [stratifiedExactTest([[0, 1, 1, 1]]), "n_informative"],
  [maxTSignFlip([[0.5, 0.25]]), "n_arrangements"],
  [clusteredStandardError([1, 0], ["a", "b"]), "se_cr1"],
  [rolloutVarianceSplit([1, 0.5], 2), "se_mean_at_infinite_k"],
  [anovaIcc([1, 0.5], 2), "effective_rows"],
  [tostPaired([0, 1], 0.1), "p_lower"],
  [nonInferiority([0, 1], 0.1), "non_inferior"],
  [withinGroupCorrelation(["a"], [1], [2]), "n_groups"],
  [posteriorPassK(2, 2, 4), "pass_pow_k"],
  [
    heterogeneityQ([
      { delta: 0.1, se: 0.1 },
      { delta: 0.2, se: 0.1 },
    ]),
    "p_value",
  ],
  [signTestEValue(1, 0), "p_anytime"],
  [asymptoticConfidenceSequence({ mean: 0, sd: 1, t: 9, tOpt: 9 }), "fixed_half_width"],
  [ppiMean({ gold: [1, 0], judgeOnGold: [1, 0], judgeUnlabeled: [1, 0] }), "human_only"],
  [logprobReport(ROWS), "corr_reward_confidence"],
  [meanKl(ROWS), "per_task"],
  [stalenessReport(ROWS), "token_logprob_coverage"],
  [datasetReport(ROWS), "tier_fail_rate"],
])("a report of numbers has a wire form (%#)", (report, key) => {
  expect(toWire(report)).toHaveProperty(key);
});

test("every other report has a wire form", () => {
  for (const report of [
    groupSignal(ROWS),
    markerSummary(ROWS),
    passAtBy(ROWS, "tier"),
    passAt([]),
    compareRuns(ROWS, ROWS),
    deltaReport(ROWS, ROWS, { target: "brief", mustNotRegress: ["brief"], proxy: "pass_at_1", by: "tier" }),
    evalVariance([ROWS, ROWS]),
    holdoutSize(0.05),
    differenceInterval({ candidate: 1, candidateCi: 1, served: 0, servedCi: 1 }),
    holdoutSummary(ROWS, ROWS),
    evalPower(ROWS),
    holdoutSizeT(0.3, 0.05),
  ]) {
    expect(() => toWire(report)).not.toThrow();
  }
  expect(toWire(groupSignal(ROWS))).toMatchObject({ n_mixed: 3, n_in_band: 3, mixed_rate: 1 });
  expect(toWire(compareRuns(ROWS, ROWS))).toMatchObject({
    verdict: "insufficient_data",
    mean_a: 0.5833333333333334,
    p_value: 1,
  });
  expect(toWire(markerSummary(ROWS))).toMatchObject({ brief: { n_rows_at_1: 7, n_rows_at_0: 5, n_non_finite: 0 } });
});
