import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { formatJudgeTrust, type Judge, judgeTrust, runJudge, selfContradictions } from "../src/index.ts";

const person = (gold: 0 | 1): Partial<Row> => ({ gold_reward: gold, gold_kind: "human" });

describe("a judge that answers in every wrong way", () => {
  const answers: (() => unknown)[] = [
    () => ({ reward: 1 }),
    () => '```json\n{"reward":0}\n```',
    () => '{"reward":1,"reason":"cut he',
    () => "8/10",
    () => ({ reward: 7 }),
    () => ({ note: "fine" }),
    () => {
      throw new Error("no answer");
    },
    () => new Promise(() => {}),
  ];
  const rows: Row[] = answers.map((_, i) => ({
    task_id: `t${i}`,
    final_text: `reply ${i}`,
    ...person(i === 1 ? 0 : 1),
  }));
  const judge: Judge = ({ task_id }) => answers[Number(String(task_id).slice(1))]!() as never;

  test("two rows are graded, every share has n = 2, and none became 0", async () => {
    const { rows: graded } = await runJudge(rows, judge, { timeoutMs: 20, breakAfter: null });
    expect(graded.map(({ reward }) => reward)).toEqual([1, 0, null, null, null, null, null, null]);
    const report = await judgeTrust(graded);
    expect(report).toMatchObject({ nLabeled: 2, skipped: { nGold: 8, nUsed: 2, fractional: 0, unscored: 6 } });
    expect(report.agreement).toMatchObject({ n: 2, confusion: { tp: 1, fp: 0, fn: 0, tn: 1 } });
    expect(formatJudgeTrust(report)).toContain("n=2 human labels, 6 skipped");
    expect(report.findings.find(({ code }) => code === "unjudged")!.message).toMatch(
      /^6 of 8 labeled rows have no verdict/,
    );
  });

  test("the strict rule concludes nothing from the two that it could read", async () => {
    const graded = Array.from(
      { length: 200 },
      (_, i): Row => ({ task_id: `t${i}`, reward: i % 2, ...person(i % 2 ? 1 : 0) }),
    );
    const holes = graded.map((row, i) => (i % 8 === 0 ? { ...row, reward: null } : row));
    expect(await judgeTrust(graded, null, { rule: "strict" })).toMatchObject({ status: "pass" });
    expect(await judgeTrust(holes, null, { rule: "strict" })).toMatchObject({ status: "inconclusive" });
  });

  test("called again it may answer so as well: calls without a verdict are counted, not flipped", async () => {
    const graded = rows.slice(0, 2).map((row, i) => ({ ...row, reward: 1 - i, judge_name: "j" }));
    const broken: Judge = Object.assign(() => "8/10" as never, { judgeName: "j" });
    const { perturbation } = await judgeTrust(graded, broken);
    expect(perturbation).toMatchObject({ n: 0, consistencyFlipRate: null, errors: 4, flaggedConsistency: false });
  });
});

describe("identical replies, different verdicts", () => {
  const others: Row[] = Array.from({ length: 10 }, (_, i) => ({
    task_id: `o${i}`,
    final_text: `reply ${i}`,
    reward: i % 2,
  }));
  const twins = (fields: (i: number) => Partial<Row> = () => ({})): Row[] =>
    [1, 1, 0, 0].map((reward, i) => ({
      ...{ task_id: "t1", prompt: "who?", final_text: "not in memory", reward, judge_name: "j" },
      ...{ lineage: { judge_version: "j@1" }, ...fields(i) },
    }));

  test("the judge contradicts itself, without being called, and that is read first", async () => {
    const report = await judgeTrust([...others, ...twins()]);
    expect(report.contradictions).toMatchObject([
      { task: "t1", judge: "j j@1", nPass: 2, nFail: 2, finalText: "not in memory" },
    ]);
    expect(report.warnings[0]).toMatch(
      /^the judge contradicts itself: one reply to one task, 4 rows, 2 passed and 2 failed/,
    );
    const text = formatJudgeTrust(report);
    expect(text.indexOf("one reply, two verdicts")).toBeLessThan(text.indexOf("disagreements"));
  });

  test.each<[string, (i: number) => Partial<Row>, number]>([
    ["two versions of the judge are two judges", (i) => ({ lineage: { judge_version: `j@${i < 2 ? 1 : 2}` } }), 0],
    [
      "other actions before the same words are another rollout",
      (i) => ({ steps: i < 2 ? [{ tool: "look", arguments: {} }] : [] }),
      0,
    ],
    ["two tasks are two questions", (i) => ({ task_id: i < 2 ? "t1" : "t2" }), 0],
    ["another judge may differ", (i) => ({ judge_name: i < 2 ? "j" : "k" }), 0],
    ["partial credit is no verdict", (i) => ({ reward: i < 2 ? 1 : 0.5 }), 0],
    ["an empty reply is nothing to be consistent about", () => ({ final_text: "" }), 0],
    ["the reason may differ", (i) => ({ reason: `because ${i}` }), 1],
  ])("%s", (_, fields, n) => {
    expect(selfContradictions([...others, ...twins(fields)])).toHaveLength(n);
  });
});

describe("agreement when only one class was labelled", () => {
  const passesOnly = (fails: number): Row[] =>
    Array.from({ length: 50 }, (_, i) => ({
      task_id: `t${i}`,
      final_text: `r${i}`,
      reward: i < fails ? 0 : 1,
      ...person(1),
    }));

  test.each([
    [5, 0.9, [0.7864, 0.9565]],
    [0, 1, [0.9287, 1]],
  ])("%i of 50 failed: agreement %d, and no kappa", async (fails, agreement, ci95) => {
    const report = await judgeTrust(passesOnly(fails));
    expect(report).toMatchObject({ ok: false, status: "inconclusive", goldDegenerate: true });
    expect(report.agreement).toMatchObject({ agreement, kappa: null, kappaNote: "one_class", kappaCi95: null });
    for (const [i, bound] of ci95.entries()) expect(Math.abs(report.agreement.ci95![i]! - bound)).toBeLessThan(1e-4);
    const text = formatJudgeTrust(report);
    expect(text).toContain("kappa not measured");
    expect(text).toContain("length not measured: gold has one class alone");
    expect(text).toMatch(/only passes were labeled \(human labels\): .*label some failures/);
  });

  test("gold that is all failures asks for passes, and does not fail a judge for its length", async () => {
    const rows = passesOnly(0).map((row, i) => ({ ...row, ...person(0), reward: 0, final_text: "x".repeat(i + 1) }));
    const report = await judgeTrust(rows);
    expect(report.status).toBe("inconclusive");
    expect(report.warnings.join("\n")).toMatch(/only failures were labeled \(human labels\): .*label some passes/);
  });

  test("a judge of one class on gold of both is no such case: its kappa is 0, and it fails", async () => {
    const rows = passesOnly(0).map((row, i) => ({ ...row, ...person(i < 25 ? 0 : 1) }));
    expect(await judgeTrust(rows)).toMatchObject({ status: "fail", goldDegenerate: false, agreement: { kappa: 0 } });
  });
});
