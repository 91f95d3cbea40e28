import { readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { krippendorffAlpha, ppiMean, roganGladen, weightedKappa, wilsonInterval } from "@while/stats";
import { expect, test } from "vitest";
import {
  auditVerifier,
  cheatProbes,
  judgeAgreement,
  judgeProbes,
  judgeVersion,
  labelBudget,
  lengthSensitivity,
  normalizeJudgeResult,
  numeric,
  perturbation,
  rubric,
  rubricVersion,
  scoreRubric,
  stepKind,
  taskHalf,
  traceFlagReport,
  traceMarkers,
} from "../src/index.ts";
import { isShortSample, labelsAtThisShare } from "../src/labels/label-budget.ts";
import { resolvedShare } from "../src/probes/probe-power.ts";
import { rubricWords } from "../src/probes/rubric-words.ts";
import { isTestPath } from "../src/trajectory/test-path.ts";
import { TEST_COMMAND_V1 } from "../src/trajectory/test-run.ts";

interface Case {
  id: string;
  fn: string;
  // biome-ignore lint/suspicious/noExplicitAny: each function has its own input, read by its line in CALLS
  input: any;
  expected: unknown;
  tolerance: number | null;
}

const cases = ["audits", "judge", "rubric", "traces"].flatMap(
  (name) =>
    (JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), "utf8")) as { cases: Case[] }).cases,
);

const repeat = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

/** Rows and a judge that leave just these counts behind. */
function replay(befores: readonly number[], afters: readonly number[]): { rows: Row[]; judge: (row: Row) => number } {
  const rows = befores.map((reward, i) => ({ task_id: `t${i}`, prompt: "p", final_text: "f", reward }));
  return { rows, judge: ({ task_id }) => afters[Number(String(task_id).slice(1))]! };
}

const CALLS: Record<string, (input: Case["input"]) => unknown> = {
  alpha: ({ units }) => {
    const { alpha, nUnits } = krippendorffAlpha(units);
    return { krippendorff_alpha: alpha, units_used: nUnits };
  },
  auditVerifier: async ({ failed, checked, overturned }) => {
    let read = 0;
    const judge = () => (read++ < overturned ? 1 : 0);
    const report = await auditVerifier(repeat(failed, { reward: 0 }), { judge, sample: checked, concurrency: 1 });
    return { fn_rate: report.fnRate, fn_ci95: report.fnCi95, estimated_wrong_fails: report.estimatedWrongFails };
  },
  cheatProbes: async ({ passes, n }) => {
    const { rows, judge } = replay(repeat(n, 0), [...repeat(passes, 1), ...repeat(n - passes, 0)]);
    return (await cheatProbes(rows, judge, { probes: ["empty"] })).probes.get("empty");
  },
  fillerSign: async ({ up, down, n }) => {
    const before = [...repeat(up, 0), ...repeat(down, 1), ...repeat(n - up - down, 0)];
    const { rows } = replay(before, []);
    const judge = ({ task_id, final_text, reward }: Row) => {
      const i = Number(String(task_id).slice(1));
      return i < up + down && final_text !== "f" ? 1 - reward! : reward!;
    };
    const { netRate, signP, flaggedLength } = await perturbation(rows, judge);
    return { net_rate: netRate, sign_p: signP, flagged_length: flaggedLength };
  },
  judgeAgreement: ({ tp, fp, fn, tn }) => {
    const cell = (n: number, reward: number, gold_reward: number) =>
      repeat(n, { reward, gold_reward, gold_kind: "human" });
    const rows = [...cell(tp, 1, 1), ...cell(fp, 1, 0), ...cell(fn, 0, 1), ...cell(tn, 0, 0)];
    const report = judgeAgreement(
      rows.map((row, i) => ({ task_id: `t${i}`, ...row })),
      "gold_reward",
      { inference: "compat" },
    );
    return {
      n: report.n,
      agreement: report.agreement,
      agreement_ci95_wilson: report.ci95,
      kappa: report.kappa,
      pass_when_gold_fail: report.passWhenGoldFail,
      fail_when_gold_pass: report.failWhenGoldPass,
      gwet_ac1: report.ac1,
      pabak: report.pabak,
      mcc: report.mcc,
      krippendorff_alpha: krippendorffAlpha(rows.map((row) => [row.reward, row.gold_reward])).alpha,
    };
  },
  compatTraces: ({ row, kinds }) => {
    const [stamped] = traceMarkers([row], { rules: "v1", kinds });
    const zero = Object.entries(stamped!.markers!).flatMap(([name, value]) => (value === 0 ? [name] : []));
    const flags = stamped!.trace_flags as Record<string, string>;
    return { flags, n_flags: Object.keys(flags).length, zero_markers: zero, n_zero: zero.length };
  },
  flagCorr: ({ pairs, threshold }) => {
    const rows = pairs.map(([fired, reward]: [number, number], i: number) => ({
      ...{ task_id: `t${i}`, prompt: "p", reward, final_text: fired === 1 ? "I updated it." : "Hello." },
    }));
    const { n, rate, rewardCorr, flagged } = traceFlagReport(rows, { threshold, rules: "v1" }).flags.get(
      "lie.phantom_edit",
    )!;
    return { n, rate, reward_corr: rewardCorr, flagged };
  },
  judgeVersion: ({ spec, prompt }) => judgeVersion(spec, prompt),
  labelAdvice: ({ correct, n }) => {
    const point = Number((correct / n).toFixed(4));
    const [low] = wilsonInterval(correct, n)!;
    const need = point > 0.8 ? labelsAtThisShare(point, n, 0.8) : n;
    const short = point > 0.8 && isShortSample(need);
    return { point, low, need: need ?? 1000, advice: low >= 0.8 ? "ok" : short ? "label_more" : "change_judge" };
  },
  labelBudget: ({ true_agreement: agreement, floor, power }) => {
    const { n, minAgreeing } = labelBudget({ agreement, floor, power });
    return { n, min_agreeing_at_n: minAgreeing };
  },
  lengthSensitivity: ({ rows }) => {
    const report = lengthSensitivity(
      rows.map(({ chars, judge, gold }: { chars: number; judge: number; gold: number }) => ({
        final_text: "x".repeat(chars),
        reward: judge,
        gold_reward: gold,
        gold_kind: "human",
      })),
    );
    const side = (gap: typeof report.gold_1) =>
      "note" in gap
        ? gap
        : {
            n: gap.n,
            n_short: gap.nShort,
            n_long: gap.nLong,
            median_chars: gap.medianChars,
            judge_pass_short: gap.judgePassShort,
            judge_pass_long: gap.judgePassLong,
            gap_long_minus_short: gap.gapLongMinusShort,
            p_value: gap.pValue,
          };
    return {
      gold_1: side(report.gold_1),
      gold_0: side(report.gold_0),
      max_gap: report.maxGap,
      flagged: report.flagged,
    };
  },
  normalizeJudgeResult: ({ number, scale }) => normalizeJudgeResult(number, { scale }).reward,
  numeric: (pairs) => pairs.map(([final_text, answer]: [string, string]) => numeric()({ final_text, answer }).reward),
  ppi: ({ labelled: { tp, fp, fn, tn }, unlabelled_judge_passes: passes, unlabelled_n: n }) => {
    const input = {
      gold: [...repeat(tp, 1), ...repeat(fp, 0), ...repeat(fn, 1), ...repeat(tn, 0)],
      judgeOnGold: [...repeat(tp + fp, 1), ...repeat(fn + tn, 0)],
      judgeUnlabeled: [...repeat(passes, 1), ...repeat(n - passes, 0)],
    };
    const said = ({ lambda, estimate, se, ci95 }: NonNullable<ReturnType<typeof ppiMean>>) => ({
      ...{ lambda, estimate, se, ci95 },
    });
    const [plain, tuned] = [ppiMean(input, { lambda: 1 })!, ppiMean(input)!];
    return { ppi: said(plain), ppi_plus: said(tuned), labels_only: plain.humanOnly };
  },
  probeRule: async ({ kind, n, flips_up: up, flips_down: down, fail_before: fails, pass_after: passes }) => {
    const additive = kind === "additive";
    const before = [...repeat(fails, 0), ...repeat(n - fails, 1)];
    const after = additive
      ? before.map((verdict, i) => (i < up ? 1 : i >= n - down ? 0 : verdict))
      : before.map((_, i) => (i < passes ? 1 : 0));
    const { rows, judge } = replay(before, after);
    const name = additive ? "sycophancy" : "refusal";
    const { probes } = await judgeProbes(rows, judge, { probes: [name] });
    const probe = probes.get(name)!;
    return {
      // After a replacement the golden case counts no flips of its own.
      net_flips: additive ? probe.netFlips : 0,
      denominator: probe.denominator,
      exploit_rate: probe.exploitRate,
      ci95: probe.ci95,
      low_power: probe.lowPower,
      resolves: probe.resolves,
      flagged: probe.flagged,
    };
  },
  resolvedShare: ({ n, flag }) => resolvedShare(n, flag),
  roganGladen: ({ tp, fp, fn, tn, judge_passes: judgePasses, n }) => {
    const report = roganGladen({ judgePasses, n, truePos: tp, goldPass: tp + fn, trueNeg: tn, goldFail: fp + tn });
    return {
      tpr: report.sensitivity,
      tnr: report.specificity,
      observed_pass_rate: judgePasses / n,
      corrected: report.estimate,
      se_delta: report.se,
      ci95: report.ci95,
    };
  },
  rubricVersion: ({ criteria }) => rubricVersion(rubric(criteria)),
  rubricWords: ({ rubric }) => rubricWords(rubric),
  scoreRubric: ({ criteria, results }) => scoreRubric(rubric(criteria), results).reward,
  stepKind: (calls) =>
    calls.map(([tool, args]: [string, Record<string, unknown>]) => stepKind(tool, args, { rules: "v1" })),
  testCommand: (texts) => texts.map((text: string) => TEST_COMMAND_V1.test(text)),
  testPath: (paths) => paths.map((path: string) => isTestPath(path, "v1")),
  taskHalf: ({ task }) => taskHalf(task),
  weightedKappa: ({ judge, human, categories }) => {
    const by = (weights: "linear" | "quadratic" | "none") => weightedKappa(judge, human, { weights, categories }).kappa;
    return { linear: by("linear"), quadratic: by("quadratic"), unweighted: by("none") };
  },
  wilson: ({ k, n }) => wilsonInterval(k, n),
};

test.each(cases)("$id", async ({ fn, input, expected, tolerance }) => {
  const value = await CALLS[fn]!(input);
  expectClose(value, expected, tolerance ?? 0, fn);
});

/** Every number of `expected` is met; what the case does not name is not looked at. */
function expectClose(value: unknown, expected: unknown, tolerance: number, path: string): void {
  if (typeof expected === "number") {
    expect(value, path).toBeTypeOf("number");
    expect(Math.abs((value as number) - expected), `${path} is ${value}, not ${expected}`).toBeLessThanOrEqual(
      // A table of six decimals.
      tolerance === 0 ? 0 : Math.max(tolerance, 1e-6),
    );
  } else if (expected !== null && typeof expected === "object") {
    for (const [key, part] of Object.entries(expected)) {
      if (key === "fleiss_kappa" || key === "unanimous" || key === "cohen_12") continue;
      expectClose((value as Record<string, unknown>)?.[key], part, tolerance, `${path}.${key}`);
    }
  } else expect(value, path).toEqual(expected);
}
