import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import { auditGrades } from "./audit-grades.ts";
import { formatGradeAudit } from "./format-grade-audit.ts";

/** Rows with the grader's label and the auditor's, which only the auditor below can read. */
function rows(...pairs: [label: number | null, auditor: number | null, reason?: string][]): Row[] {
  return pairs.map(([reward, auditor, reason = "fine"], i) => ({
    task_id: `t${i}`,
    prompt: `p${i}`,
    reward,
    reason,
    judge_name: "grader",
    hidden: auditor,
  }));
}

const auditor: Judge = Object.assign(
  (row: Row) => {
    expect(row).not.toHaveProperty("reward");
    expect(row).not.toHaveProperty("reason");
    if (row.hidden === null) throw new RangeError("down");
    return { reward: row.hidden as number, reason: "as I read it" };
  },
  { judgeName: "second" },
);

const MIXED = rows(
  [1, 1],
  [1, 0, "polite"],
  [1, 0, "polite"],
  [0, 0],
  [0, 1, "no id"],
  [0, 0, "no id"],
  [1, null],
  [null, 1],
);

test("labels are compared with a second opinion that did not see them", async () => {
  const audit = await auditGrades(MIXED, { auditor });
  expect(audit).toMatchObject({
    status: "audited",
    audited: 6,
    unreachable: 1,
    agreed: 3,
    disagreed: 3,
    agreement: 0.5,
  });
  expect(audit).toMatchObject({ grader: "grader", auditor: "second", falsePass: 2, falseFail: 1, kappa: 0 });
  expect(audit.disagreements[0]).toEqual({
    prompt: "p1",
    label: 1,
    auditorLabel: 0,
    reason: "polite",
    auditorReason: "as I read it",
  });
  expect(audit.byJudgeReason.get("polite")).toEqual({ audited: 2, disagreed: 2, rate: 1, examples: ["p1", "p2"] });
  expect(audit.findings.map(({ code }) => code)).toEqual(["false_pass", "disputed_reason"]);
  expect(audit.errors).toEqual(["RangeError: down"]);
  expect(() => toWire(audit)).not.toThrow();
  expect(formatGradeAudit(audit).split("\n")[0]).toBe(
    "audit of grades: second agrees with grader on 50.0% [0.19..0.81] of 6 rows, 1 without a verdict",
  );
});

test("the auditor is never the grader, by name or by model", async () => {
  const self = Object.assign(() => 1, { judgeName: "grader" });
  await expect(auditGrades(MIXED, { auditor: self })).rejects.toThrow("The auditor is the grader: both are grader.");
  const byModel = MIXED.map((row) => ({ ...row, judge_meta: { model: "m-1" } }));
  const sameModel = Object.assign(() => 1, { judgeName: "other", model: "m-1" });
  await expect(auditGrades(byModel, { auditor: sameModel })).rejects.toThrow("both are m-1");
});

test("no labels, no verdicts, and a limit", async () => {
  expect((await auditGrades([{ reward: 0.5 }], { auditor })).status).toBe("empty");
  const down = await auditGrades(rows([1, null], [0, null]), { auditor });
  expect(down).toMatchObject({ status: "unreachable", unreachable: 2, agreement: null, kappa: null });
  expect(formatGradeAudit(down)).toContain("not measured, second gave no verdict on 2 rows");
  expect((await auditGrades(MIXED, { auditor, limit: 2 })).audited).toBe(2);
  await expect(auditGrades(MIXED, { auditor, limit: 0 })).rejects.toThrow("limit is 0.");
});
