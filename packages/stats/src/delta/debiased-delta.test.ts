import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunPair } from "../compare/run-pair.ts";
import { type DebiasedDelta, debiasedDelta } from "./debiased-delta.ts";
import { deltaHtml } from "./delta-html.ts";
import { deltaReport } from "./delta-report.ts";
import { formatDeltaReport } from "./format-delta-report.ts";

/** One rollout a task: what the judge said of it, and what people did where they were asked. */
type Case = readonly [judge: 0 | 1, gold: 0 | 1 | null];

const rowsOf = (cases: readonly Case[], extra: Partial<Row> = {}): Row[] =>
  cases.map(([reward, gold], i) => ({
    ...{ task_id: `t${i}`, reward, ...extra },
    ...(gold === null ? {} : { gold_reward: gold, gold_kind: "human" }),
  }));

const debiased = (before: readonly Row[], after: readonly Row[], cluster?: string): DebiasedDelta | null =>
  debiasedDelta(new RunPair(before, after, "strict"), {
    ...{ level: 0.95, inference: "strict", paired: true, cluster },
  });

const many = (n: number, one: Case): Case[] => Array.from({ length: n }, () => one);

// 60 tasks. The judge is about right of the agent before, and passes 7 of 11 failures of the agent after.
const BEFORE = [
  ...many(11, [1, 1]),
  [0, 1] as Case,
  ...many(12, [0, 0]),
  ...many(20, [1, null]),
  ...many(16, [0, null]),
];
const AFTER = [
  ...many(13, [1, 1]),
  ...many(7, [1, 0]),
  ...many(4, [0, 0]),
  ...many(29, [1, null]),
  ...many(7, [0, null]),
];

/** before and after corrected, their difference, its interval, and that of the bias's shift. */
const PYTHON: readonly number[] = [
  ...[0.5536361103371413, 0.5313688212927756, -0.0222672890443657],
  ...[-0.1629129046426223, 0.11388492316020232, 0.1299953835367336, 0.5366712831299332],
];

describe("the change of pass@1 by gold", () => {
  // numpy 2 and scipy 1.17 by the formulas of the papers, none of our code:
  //   for each side g, j over labeled tasks, J over all; parts = (g-mean g)/n and (J-mean J)/N-(j-mean j)/n;
  //   lean = clip(-cov/var of the parts), estimate = mean g + lean (mean J - mean j), errors = sqrt(n/(n-2)) (..);
  //   Wilson's interval at p(1-p)/sum(errors^2) coins with t.ppf(.975, n-2); then MOVER with their correlation
  test("is each side corrected by its own labels", () => {
    const report = debiased(rowsOf(BEFORE), rowsOf(AFTER))!;
    expect(report.judgedDelta).toBeCloseTo((49 - 31) / 60, 12);
    expect(report.before).toMatchObject({ judged: 31 / 60, nGold: 24, nGoldTasks: 24 });
    expect(report.after).toMatchObject({ judged: 49 / 60, nGold: 24 });
    expect(report.biasShift).toBeCloseTo(7 / 24 + 1 / 24, 12);
    const { before, after, delta, ci95, biasShiftCi95 } = report;
    PYTHON.forEach((value, i) => {
      const ours = [before.corrected, after.corrected, delta, ...ci95!, ...biasShiftCi95!];
      expect(ours[i]).toBeCloseTo(value, 9);
    });
    expect(report).toMatchObject({ verdict: "no_difference_detected", nTasks: { before: 60, after: 60 } });
  });

  test("is null without labels on both sides, and labels of a model are none", () => {
    const bare = rowsOf(AFTER).map(({ gold_reward: _, gold_kind: __, ...row }): Row => row);
    const byModel = rowsOf(AFTER).map((row): Row => ({ ...row, gold_kind: "model" }));
    expect(debiased(rowsOf(BEFORE), bare)).toBeNull();
    expect(debiased(rowsOf(BEFORE), byModel)).toBeNull();
    const compat = deltaReport(rowsOf(BEFORE), rowsOf(AFTER), { inference: "compat" });
    expect(compat.debiased).toBeNull();
  });

  test("has no interval by two labels", () => {
    const few = rowsOf([[1, 1], [0, 0], ...many(10, [1, null])]);
    expect(debiased(few, few)).toMatchObject({ ci95: null, verdict: "insufficient_data", biasShiftCi95: null });
  });

  test("a side on which all labels are alike still has a width", () => {
    const { ci95 } = debiased(rowsOf(many(8, [1, 1])), rowsOf(many(8, [1, 1])))!;
    expect(ci95![0]).toBeLessThan(-0.3);
    expect(ci95![1]).toBeGreaterThan(0.3);
  });

  test("with clusters the labels of one document count as one", () => {
    const spread = (rows: readonly Row[]) => rows.map((row, i): Row => ({ ...row, document: `d${i % 8}` }));
    const [before, after] = [spread(rowsOf(BEFORE)), spread(rowsOf(AFTER))];
    const lumped = (rows: readonly Row[]) => rows.map((row, i): Row => ({ ...row, document: `d${Math.floor(i / 8)}` }));
    const width = ({ ci95 }: DebiasedDelta) => ci95![1] - ci95![0];
    const alone = width(debiased(before, after)!);
    expect(width(debiased(lumped(rowsOf(BEFORE)), lumped(rowsOf(AFTER)), "document")!)).toBeGreaterThan(alone);
  });
});

const cases = fc.array(fc.tuple(fc.constantFrom<0 | 1>(0, 1), fc.constantFrom<0 | 1 | null>(0, 1, null)), {
  minLength: 6,
  maxLength: 24,
});
const arms = cases.chain((one) => fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length })));

test("laws: sides exchanged turn the sign, rows in another order change nothing, the interval holds the estimate", () => {
  fc.assert(
    fc.property(arms, ([one, other]) => {
      const [a, b] = [rowsOf(one), rowsOf(other)];
      const report = debiased(a, b);
      if (report === null) return;
      const turned = debiased(b, a)!;
      expect(turned.delta).toBeCloseTo(-report.delta, 12);
      expect(debiased([...a].reverse(), [...b].reverse())!.delta).toBeCloseTo(report.delta, 12);
      if (report.ci95 === null) return;
      expect(turned.ci95![0]).toBeCloseTo(-report.ci95[1], 9);
      expect(report.ci95[0]).toBeLessThanOrEqual(report.delta + 1e-12);
      expect(report.ci95[1]).toBeGreaterThanOrEqual(report.delta - 1e-12);
    }),
  );
});

test("a judge that agrees with every label corrects nothing", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<0 | 1>(0, 1), { minLength: 6, maxLength: 30 }), (labels) => {
      const all = rowsOf(labels.map((label): Case => [label, label]));
      const others = rowsOf(labels.map((label): Case => [label === 1 ? 0 : 1, label === 1 ? 0 : 1]));
      const { delta, judgedDelta, biasShift } = debiased(all, others)!;
      expect(delta).toBeCloseTo(judgedDelta, 12);
      expect(biasShift).toBe(0);
    }),
  );
});

describe("in the report", () => {
  test("a gain that the judge made up is called that", () => {
    const report = deltaReport(rowsOf(BEFORE), rowsOf(AFTER), { target: "pass_at_1" });
    expect(report).toMatchObject({ headline: "PASS", targetVerdict: "moved_unreplicated", failures: [] });
    const warning = report.warnings.find(({ code }) => code === "judge_errs_by_side")!;
    expect(warning.text).toContain("the judge is 0.333 more lenient with after than with before");
    expect(formatDeltaReport(report).split("\n")[2]).toBe(
      "by gold: pass_at_1 0.554 -> 0.531  -0.022 95% [-0.163..+0.114], the judge corrected by 24 and 24 labels",
    );
    expect(deltaHtml(report)).toContain("by gold");
  });

  test("a fall that the labels prove fails the gate, whatever the judge says", () => {
    const better = [...many(30, [1, 1]), ...many(10, [0, 0]), ...many(10, [1, null]), ...many(10, [0, null])];
    const worse = [...many(5, [1, 1]), ...many(33, [1, 0]), ...many(2, [0, 0]), ...many(20, [1, null])];
    const report = deltaReport(rowsOf(better as Case[]), rowsOf(worse as Case[]));
    expect(report.debiased!.verdict).toBe("a_better");
    expect(report).toMatchObject({ headline: "FAIL", ok: false, failures: ["gold_fell"] });
    expect(report.warnings[0]!.code).toBe("gold_fell");
    // Where the target is a marker, pass@1 by gold is not what the change was for.
    const marked = (rows: readonly Row[], value: number) =>
      rows.map((row, i): Row => ({ ...row, markers: { brief: i % 7 === 0 ? 1 - value : value } }));
    const other = deltaReport(marked(rowsOf(better as Case[]), 0), marked(rowsOf(worse as Case[]), 1), {
      target: "brief",
    });
    expect(other.failures).toEqual([]);
  });
});
