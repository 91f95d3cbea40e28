import type { Row } from "@while/schema";
import { clusteredStandardError } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatJudgeAgreement } from "./format-judge-agreement.ts";
import { judgeAgreement } from "./judge-agreement.ts";

/** Rows of a table, one task each. */
function tableRows(tp: number, fp: number, fn: number, tn: number, kind: string | null = "human"): Row[] {
  const cells: [number, 0 | 1, 0 | 1][] = [
    [tp, 1, 1],
    [fp, 1, 0],
    [fn, 0, 1],
    [tn, 0, 0],
  ];
  return cells
    .flatMap(([n, reward, gold]) => Array.from({ length: n }, () => ({ reward, gold_reward: gold, gold_kind: kind })))
    .map((row, i) => ({ task_id: `t${i}`, ...row }));
}

test.each([
  [124, 58, 24, 15, 0.628959, [0.563572, 0.689939], 0.049113, 0.794521, 0.162162],
  [30, 20, 0, 0, 0.6, [0.461812, 0.723918], 0, 1, 0],
  [18, 0, 2, 0, 0.9, [0.698962, 0.972134], 0, null, 0.1],
  [25, 25, 25, 25, 0.5, [0.40383, 0.59617], 0, 0.5, 0.5],
  [40, 1, 0, 9, 0.98, [0.895043, 0.996461], 0.935065, 0.1, 0],
])("%i, %i, %i, %i", (tp, fp, fn, tn, agreement, ci95, kappa, leak, miss) => {
  const report = judgeAgreement(tableRows(tp, fp, fn, tn), "gold_reward", { inference: "compat" });
  const six = (x: number | null) => (x === null ? null : Number(x.toFixed(6)));
  expect({
    agreement: six(report.agreement),
    ci95: report.ci95!.map(six),
    kappa: six(report.kappa),
    leak: six(report.passWhenGoldFail),
    miss: six(report.failWhenGoldPass),
  }).toEqual({ agreement, ci95, kappa, leak, miss });
  expect(report).toMatchObject({ ok: true, goldKind: "human", clustered: null });
});

test("one of ten failures passed is a leak", () => {
  expect(judgeAgreement(tableRows(40, 1, 0, 9)).warnings).toEqual([
    "the judge passes 1 of the 10 rows that human labels fail (10%): those rows train the failure",
  ]);
});

test("gold of one class has no kappa, and the Python SDK gives it one", () => {
  const rows = tableRows(45, 0, 5, 0);
  expect(judgeAgreement(rows)).toMatchObject({ agreement: 0.9, kappa: null, kappaNote: "one_class", kappaCi95: null });
  expect(judgeAgreement(rows, "gold_reward", { inference: "compat" }).kappa).toBe(0);
  expect(judgeAgreement(tableRows(9, 0, 0, 0), "gold_reward", { inference: "compat" }).kappa).toBe(1);
});

test.each<[string, Row[], RegExp]>([
  ["no rows", [], /no row has a verdict of 0 or 1, and none has a gold label/],
  ["no verdict", [{ gold_reward: 1, gold_kind: "human" }], /^1 row has a gold label and none a verdict.*score/],
  ["no gold", [{ reward: 1 }], /^1 row has a verdict and none a gold label: attach labels/],
  [
    "never on one row",
    [{ reward: 1 }, { gold_reward: 1 }],
    /^1 row has a verdict and 1 a gold label, and none has both/,
  ],
])("%s", (_, rows, said) => {
  const report = judgeAgreement(rows);
  expect(report).toMatchObject({ n: 0, agreement: null, ci95: null, kappa: null, kappaNote: "no_labels", ok: false });
  expect(report.warnings).toEqual([expect.stringMatching(said)]);
  expect(formatJudgeAgreement(report)).toMatch(/^judge agreement: not measured\n! /);
});

test.each<[string | null, string, boolean]>([
  ["human", "human", true],
  ["program", "program", true],
  ["verifier", "program", true],
  ["model", "model", false],
  [null, "unknown", false],
  ["mixed", "mixed", false],
])("gold by %s is %s, trusted %s", (kind, goldKind, ok) => {
  const report = judgeAgreement(tableRows(30, 2, 2, 30, kind));
  expect(report).toMatchObject({ goldKind, ok, trusted: ok });
  expect(report.warnings.some((text) => /do not measure a judge|nothing says who wrote/.test(text))).toBe(!ok);
  expect(judgeAgreement(tableRows(30, 2, 2, 30, kind), "gold_reward", { allowModelGold: true }).ok).toBe(true);
});

test("a person beside a program is trusted, and said as both", () => {
  const rows = [...tableRows(20, 0, 0, 10), ...tableRows(20, 0, 0, 10, "program")];
  expect(judgeAgreement(rows)).toMatchObject({ goldKind: "human+program", ok: true });
  const labels = [
    { label: 1, annotator: "ana", kind: "human" },
    { label: 1, annotator: "unit", kind: "program" },
  ];
  expect(judgeAgreement([{ reward: 1, gold_reward: 1, gold_labels: labels }])).toMatchObject({
    ...{ goldKind: "human+program", trusted: true },
  });
});

test("other rows as gold: twins by key, the first of two, and never trusted", () => {
  const rows = [1, 0, 1].map((reward, i) => ({ rollout_id: `r${i}`, reward }));
  const others = [
    { rollout_id: "r0", reward: 1 },
    { rollout_id: "r1", reward: 1 },
    { rollout_id: "r1", reward: 0 },
  ];
  expect(judgeAgreement(rows, others)).toMatchObject({
    ...{ n: 2, nUnmatched: 1, agreement: 0.5, goldKind: "model", ok: false },
  });
});

test.each([[true], ["yes"], [0.5], [Number.NaN], [null], [undefined], [2]])(
  "a reward of %j is no verdict",
  (reward) => {
    expect(judgeAgreement([{ reward: reward as never, gold_reward: 1 }])).toMatchObject({ n: 0, nSkipped: 1 });
  },
);

test("rollouts of one task are no independent labels: the same verdicts, a wider interval", () => {
  const once = tableRows(40, 10, 10, 40);
  const rows = once.flatMap((row) => [row, row, row, row]);
  const report = judgeAgreement(rows);
  expect(report.clustered).toMatchObject({ nTasks: 100 });
  expect(report.clustered!.designEffect).toBeCloseTo(4, 6);
  const [low, high] = report.clustered!.ci95!;
  expect(low).toBeLessThan(report.ci95![0]);
  expect(high).toBeGreaterThan(report.ci95![1]);
  expect(formatJudgeAgreement(report)).toContain("over 100 tasks");
});

test("both error rates over tasks are the mean of their class with tasks as the draws, and null where no task repeats", () => {
  const once = tableRows(18, 2, 2, 18);
  expect(judgeAgreement(once)).toMatchObject({ tprOverTasks: null, tnrOverTasks: null });
  const report = judgeAgreement(once.flatMap((row) => [row, row, row]));
  const { ci95 } = clusteredStandardError(
    [...Array.from({ length: 18 }, () => 1), 0, 0],
    Array.from({ length: 20 }, (_, i) => `t${i}`),
  )!;
  for (const own of [report.tprOverTasks!, report.tnrOverTasks!]) {
    expect(own[0]).toBeCloseTo(ci95![0], 9);
    expect(own[1]).toBeCloseTo(Math.min(1, ci95![1]), 9);
    expect(own[0]).toBeLessThan(report.tnrCi95![0]);
  }
});

test("the order of rows does not matter, shares stay shares, and nothing is NaN", () => {
  const cells = fc.record({ tp: fc.nat(20), fp: fc.nat(20), fn: fc.nat(20), tn: fc.nat(20) });
  fc.assert(
    fc.property(cells, ({ tp, fp, fn, tn }) => {
      const rows = tableRows(tp, fp, fn, tn);
      const report = judgeAgreement(rows);
      expect({ ...judgeAgreement([...rows].reverse()), clustered: null }).toEqual({ ...report, clustered: null });
      for (const value of Object.values(report)) expect(value).not.toBeNaN();
      if (report.agreement === null) return;
      expect(report.ci95![0]).toBeLessThanOrEqual(report.agreement);
      expect(report.ci95![1]).toBeGreaterThanOrEqual(report.agreement);
    }),
  );
});
