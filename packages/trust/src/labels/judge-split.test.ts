import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { taskHalf } from "../agreement/held-out-halves.ts";
import { compareJudges } from "../compare/compare-judges.ts";
import { judgeTrust } from "../trust/judge-trust.ts";
import { JudgeTrustError, trustAfterGrade } from "../trust/trust-after-grade.ts";
import { correctedPassRate } from "./corrected-pass-rate.ts";
import { judgeSplitOf, stampJudgeSplit } from "./judge-split.ts";

/** Two rollouts a task, each with a label; the judge is right on all of the first ten tasks and on half of the others. */
const rows: Row[] = Array.from({ length: 120 }, (_, i) => {
  const task = Math.floor(i / 2);
  const gold = i % 2;
  const isRight = task < 10 || task % 2 === 0;
  return {
    ...{
      scenario_id: `t${task}`,
      rollout_index: i % 2,
      final_text: `reply ${i}`,
      gold_reward: gold,
      gold_kind: "human",
    },
    ...{ reward: isRight ? gold : 1 - gold, lineage: { source: "grade" } },
  };
});
const tasks = (n: number): string[] => Array.from({ length: n }, (_, i) => `t${i}`);

test("a half of the tasks, the same that heldOutHalves reads, and nothing else of the row changes", () => {
  const stamped = stampJudgeSplit(rows, { tune: "a" });
  for (const row of stamped)
    expect(judgeSplitOf(row)).toBe(taskHalf(String(row.scenario_id)) === "a" ? "tune" : "report");
  expect(stamped[0]!.lineage).toMatchObject({ source: "grade" });
  expect(rows[0]!.lineage).toEqual({ source: "grade" });
});

test.each<[string, (string | Row)[]]>([
  ["a key of a row", ["t3#1"]],
  ["a task", ["t3"]],
  ["a row", [{ scenario_id: "t3", rollout_index: 7 }]],
  ["one of several that is not here", ["t3", "elsewhere"]],
])("%s takes all of its task", (_, tune) => {
  const tuned = stampJudgeSplit(rows, { tune }).filter((row) => judgeSplitOf(row) === "tune");
  expect(tuned.map(({ scenario_id }) => scenario_id)).toEqual(["t3", "t3"]);
});

test("a list of which nothing is here, and another word than a half, are refused", () => {
  expect(() => stampJudgeSplit(rows, { tune: ["x", "y"] })).toThrow(
    "None of 2 keys that the judge was tuned on names a row: x, y.",
  );
  expect(() => stampJudgeSplit(rows, { tune: "c" as never })).toThrow(expect.objectContaining({ code: "bad_option" }));
});

test("what the judge was tuned on is no evidence: left out of agreement, halves, length and the queue, and said", async () => {
  const before = await judgeTrust(rows);
  const report = await judgeTrust(stampJudgeSplit(rows, { tune: tasks(10) }));
  expect(before).toMatchObject({ nLabeled: 120, nTuned: 0 });
  expect(report).toMatchObject({ nLabeled: 100, nTuned: 20, nRows: 120 });
  expect(report.agreement.agreement).toBe(0.5);
  expect(before.agreement.agreement).toBeGreaterThan(0.5);
  expect(report.warnings).toContain(
    "20 labeled rows that the judge was tuned on (lineage.judge_split) are left out; 100 count",
  );
});

test("labels of which the judge was tuned on every one measure nothing", async () => {
  const tuned = stampJudgeSplit(rows, { tune: tasks(60) });
  const report = await judgeTrust(tuned);
  expect(report).toMatchObject({ status: "not_measured", ok: false, nLabeled: 0, nTuned: 120 });
  expect(report.findings.map(({ code }) => code)).toEqual(["unmeasured"]);
  expect(report.warnings[0]).toContain("label rows of other tasks");
  expect(trustAfterGrade(tuned)).toMatchObject({
    trust: null,
    warnings: [expect.stringContaining("tuned on all 120")],
  });
  expect(() => trustAfterGrade(tuned, { mode: "require" })).toThrow(JudgeTrustError);
  expect(correctedPassRate(tuned)).toMatchObject({ note: "no_labels", nJudged: 120 });
  await expect(compareJudges(tuned, { a: () => 1, b: () => 0 })).rejects.toMatchObject({ code: "no_rows" });
});

test("another word than the two is evidence, and said", async () => {
  const report = await judgeTrust(rows.map((row) => ({ ...row, lineage: { judge_split: "tuned" } })));
  expect(report.nLabeled).toBe(120);
  expect(report.findings.find(({ code }) => code === "unknown_split")).toMatchObject({ severity: "warn" });
});
