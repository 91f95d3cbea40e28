import { existsSync, readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { fleissKappa, krippendorffAlpha, weightedKappa } from "@while/stats";
import { describe, expect, test } from "vitest";
import { annotatorAgreement, formatJudgeTrust, type JudgeTrust, judgeTrust } from "../src/index.ts";

/** Verdicts of judges beside labels of people: open questions (Kamalloo et al. 2023), pairs (LLMBar, PandaLM). */
const FOLDER = new URL("../../../../shared/data/judge/", import.meta.url);
const GOLDEN = new URL("../../../../shared/golden/judge.json", import.meta.url);
const isHere = existsSync(GOLDEN) && existsSync(new URL("openqa_nq301.jsonl", FOLDER));
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

// biome-ignore lint/suspicious/noExplicitAny: files of others, read once
type Loose = any;

function linesOf(name: string): Loose[] {
  const text = readFileSync(new URL(name, FOLDER), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

const golden: Loose = isHere ? JSON.parse(readFileSync(GOLDEN, "utf8")) : null;
const nq: Loose[] = isHere ? linesOf("openqa_nq301.jsonl") : [];

function rowsOf(lines: readonly Loose[], judge: string): Row[] {
  return lines.map(({ id, scenario_id, prompt, reply, judges, human }) => ({
    ...{ rollout_id: id, scenario_id, prompt, final_text: reply, reward: judges[judge].reward, judge_name: judge },
    ...{ gold_reward: human.label, gold_kind: "human" },
  }));
}

function verdicts(rows: Row[]): Promise<JudgeTrust> {
  return judgeTrust(rows);
}

const agreeing = nq.filter(({ human }) => new Set(Object.values(human.annotators)).size === 1);

/** The word of the verdict, and what fails it. */
const EXPECTED = [
  ["all rows", "gpt-4", "fail", ["leak"]],
  ["all rows", "text-davinci-003", "fail", ["leak"]],
  ["all rows", "bem", "fail", ["leak", "agreement_low"]],
  ["rows where people agree", "gpt-4", "fail", ["leak"]],
  ["rows where people agree", "text-davinci-003", "pass", []],
  ["rows where people agree", "bem", "pass", []],
] as const;

describe.skipIf(!isHere).each(EXPECTED)(`%s, %s${reason}`, (which, judge, status, fails) => {
  const all = which === "all rows";
  const lines = all ? nq : agreeing;
  const block = all ? golden?.["openqa_nq301.jsonl"] : golden?.["openqa_nq301.jsonl"].rows_where_annotators_agree;
  const expected = block?.judges[judge];

  test(`is ${status}${fails.length === 0 ? "" : ` by ${fails.join(" and ")}`}`, async () => {
    const report = await verdicts(rowsOf(lines, judge));
    expect(report).toMatchObject({ status, ok: status === "pass", goldKind: "human", rule: "floors" });
    expect(report.findings.filter(({ severity }) => severity === "fail").map(({ code }) => code)).toEqual(fails);
    expect(formatJudgeTrust(report)).toMatch(status === "pass" ? /^PASS: / : `FAIL: ${fails.join(", ")}\n`);
    expect(report.disagreements).toHaveLength(expected.trust_report.n_disagreements);
  });

  test("every number is the reference's", async () => {
    const { agreement, heldOutHalves, lengthSensitivity } = await verdicts(rowsOf(lines, judge));
    const pairs: [unknown, unknown][] = [
      [agreement.n, expected.n],
      [agreement.agreement, expected.agreement],
      [agreement.ci95, expected.agreement_ci95_wilson],
      [agreement.kappa, expected.kappa],
      [agreement.kappaSe, expected.kappa_se_large_sample],
      [agreement.kappaCi95, expected.kappa_ci95_large_sample],
      [agreement.passWhenGoldFail, expected.pass_when_gold_fail],
      [agreement.passWhenGoldFailCi95, expected.pass_when_gold_fail_ci95_wilson],
      [agreement.failWhenGoldPass, expected.fail_when_gold_pass],
      [agreement.tprCi95, expected.tpr_ci95_wilson],
      [agreement.tnrCi95, expected.tnr_ci95_wilson],
      [agreement.mcc, expected.mcc],
      [agreement.pabak, expected.pabak],
      [agreement.ac1, expected.gwet_ac1],
      [agreement.scottPi, expected.scott_pi],
      [agreement.clustered?.se, expected.agreement_se_clustered_by_task],
      [agreement.clustered?.seNaive, expected.agreement_se_naive],
      [agreement.clustered?.nTasks, expected.n_clusters],
      [heldOutHalves.a.agreement, expected.held_out_halves.a.agreement],
      [heldOutHalves.b.agreement, expected.held_out_halves.b.agreement],
      [heldOutHalves.b.kappa, expected.held_out_halves.b.kappa],
      [heldOutHalves.gap, expected.halves_gap],
      [lengthSensitivity.maxGap, expected.length_sensitivity.max_gap],
    ];
    for (const [i, [value, wanted]] of pairs.entries()) {
      const [values, wanteds] = [[value].flat(), [wanted].flat()] as [number[], number[]];
      expect(values.length, `number ${i}`).toBe(wanteds.length);
      // The reference is a table of six decimals, which is half of one off at most.
      for (const [j, x] of values.entries()) expect(Math.abs(x - wanteds[j]!), `number ${i}`).toBeLessThanOrEqual(1e-6);
    }
    expect(agreement.confusion).toEqual(expected.confusion);
    for (const label of ["gold_1", "gold_0"] as const) {
      const gap = lengthSensitivity[label];
      expect("pValue" in gap && Number(gap.pValue.toFixed(6))).toBe(expected.length_sensitivity[label].p_value);
    }
  });
});

test.skipIf(!isHere)(`a moderate preference for length shows over both labels at once${reason}`, async () => {
  const flagged = await Promise.all(
    ["gpt-4", "text-davinci-003", "bem"].map(async (judge) => {
      const { lengthSensitivity } = await verdicts(rowsOf(nq, judge));
      return [lengthSensitivity.flagged, lengthSensitivity.pooledFlagged, lengthSensitivity.pooled!.z.toFixed(2)];
    }),
  );
  expect(flagged).toEqual([
    [false, false, "0.76"],
    [false, true, "5.12"],
    [false, false, "1.58"],
  ]);
});

test.skipIf(!isHere)(`the people who labeled: their ceiling, and the judge under it${reason}`, () => {
  const rows = nq.map((line) => ({
    ...rowsOf([line], "gpt-4")[0]!,
    gold_labels: Object.entries(line.human.annotators)
      .filter(([, label]) => label !== null)
      .map(([annotator, label]) => ({ annotator, label: label as number, kind: "human" })),
  }));
  const { annotators } = golden["openqa_nq301.jsonl"];
  const report = annotatorAgreement(rows);
  expect(report.multiLabeled).toBe(annotators.multi_labeled);
  expect(report.unanimous).toBeCloseTo(annotators.unanimous, 4);
  expect(report.alpha.alpha).toBeCloseTo(annotators.krippendorff_alpha_all_with_missing, 6);
  const [first] = report.pairs;
  expect(first).toMatchObject({ pair: ["annotator1", "annotator2"], n: 1480 });
  expect(first!.agreement).toBeCloseTo(0.868919, 6);
  expect(first!.kappa).toBeCloseTo(0.735461, 6);
  expect(report.ceiling!.judgeAgreement).toBeGreaterThan(0.8);
});

test.skipIf(!isHere).each(["gpt-4/vanilla", "chatgpt/vanilla", "falcon/vanilla"])(
  `%s on pairs that were made to mislead${reason}`,
  async (judge) => {
    const rows: Row[] = linesOf("llmbar.jsonl").map(({ id, judges, human }) => ({
      ...{ task_id: id, reward: judges[judge].order_12 === null ? null : judges[judge].order_12 === 1 ? 1 : 0 },
      ...{ gold_reward: human.winner === 1 ? 1 : 0, gold_kind: "human" },
    }));
    const { accuracy_order_12: accuracy, kappa_vs_human_order_12: kappa } = golden["llmbar.jsonl"].judges[judge].all;
    const { agreement, status } = await verdicts(rows);
    expect(agreement.agreement).toBeCloseTo(accuracy, 6);
    expect(agreement.kappa).toBeCloseTo(kappa, 6);
    expect(status).toBe("fail");
  },
);

test.skipIf(!isHere).each(["gpt-3.5-turbo", "pandalm-7b"])(`%s over three classes${reason}`, (judge) => {
  const lines = linesOf("pandalm.jsonl");
  const majority = lines.map(({ human }) => {
    const said = Object.values(human.annotators) as number[];
    return said.find((one, i) => said.indexOf(one) !== i) ?? null;
  });
  const own = lines.map(({ judges }) => judges[judge].winner as number | null);
  const expected = golden["pandalm.jsonl"].judges[judge].three_class;
  const report = weightedKappa(own, majority, { weights: "none" });
  expect(report.n).toBe(expected.n);
  expect(report.agreement).toBeCloseTo(expected.po, 6);
  expect(report.kappa).toBeCloseTo(expected.kappa, 6);
  const units = lines.map(({ human }) => Object.values(human.annotators) as number[]);
  expect(krippendorffAlpha(units).alpha).toBeCloseTo(golden["pandalm.jsonl"].krippendorff_alpha_nominal, 6);
  expect(fleissKappa(units).kappa).toBeCloseTo(golden["pandalm.jsonl"].fleiss_kappa, 6);
});

test.skipIf(!isHere).each([
  ["gpt-4", ["leak"], []],
  ["text-davinci-003", ["leak", "length_pooled"], []],
  // Right on 0.734 of the passes, from 0.71 over rows; over its 301 questions from under 0.70.
  ["bem", [], ["agreement_low", "kappa_unsure", "tpr_low"]],
] as const)(`%s by the strict rule: fails %j, open %j${reason}`, async (judge, fails, open) => {
  const { findings } = await judgeTrust(rowsOf(nq, judge), null, { rule: "strict" });
  const codes = (severity: string) => findings.filter((one) => one.severity === severity).map(({ code }) => code);
  expect({ fails: codes("fail"), open: codes("open") }).toEqual({ fails, open });
});
