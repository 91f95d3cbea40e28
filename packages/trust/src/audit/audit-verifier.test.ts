import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import { auditVerifier } from "./audit-verifier.ts";
import { formatVerifierAudit } from "./format-verifier-audit.ts";

function failed(n: number, reason: (i: number) => string = () => "Numeric: got 7, want 8"): Row[] {
  return Array.from({ length: n }, (_, i) => ({
    task_id: `t${i}`,
    prompt: `p${i}`,
    final_text: `answer ${i}`,
    reward: 0,
    judge_status: "ok",
    reason: reason(i),
    judge_meta: { verifier: "Numeric" },
  }));
}

/** Finds the first so many of the rows it reads right. */
function overturning(n: number): Judge {
  let read = 0;
  return Object.assign(() => (read++ < n ? 1 : 0), { judgeName: "reader" });
}

test("7 of 40 overturned of 120 failed (golden: audit_rate)", async () => {
  const audit = await auditVerifier(failed(120), { judge: overturning(7), concurrency: 1 });
  expect(audit).toMatchObject({ nFailed: 120, nSampled: 40, nChecked: 40, falseNegatives: 7, fnRate: 0.175 });
  expect(audit.fnCi95![0]).toBeCloseTo(0.087453, 6);
  expect(audit.fnCi95![1]).toBeCloseTo(0.319503, 6);
  expect(audit.estimatedWrongFails).toBe(21);
  expect(audit.correctedFn).toBeNull();
  expect(audit.warnings.map(({ code }) => code)).toEqual(["false_negatives", "second_opinion"]);
  expect(audit.summary).toBe("reader finds 7 of 40 failed answers right: about 21 of all 120");
  expect(() => toWire(audit)).not.toThrow();
});

test("the judge sees no verdict, the question, and what the verifier said beside them", async () => {
  const seen: Row[] = [];
  const judge: Judge = (row) => {
    seen.push(row);
    return 0;
  };
  const own = { ...failed(1)[0]!, privileged: { rubric: "mine", reference: "8" } };
  await auditVerifier([...failed(1), own], { judge });
  for (const row of seen) for (const key of ["reward", "reason", "judge_meta"]) expect(row).not.toHaveProperty(key);
  expect(seen[0]!.privileged!.rubric).toContain("The reference is the key.");
  expect(seen[1]!.privileged).toEqual({ rubric: "mine", reference: "8" });
  expect(seen[0]!.audit).toEqual({ verifier: "Numeric", reason: "Numeric: got 7, want 8", reward: 0 });
});

test("a judge whose errors are measured is corrected for; one that knows nothing is said to", async () => {
  const measured = { truePos: 45, goldPass: 50, trueNeg: 45, goldFail: 50 };
  const audit = await auditVerifier(failed(40), { judge: overturning(12), concurrency: 1, judgeAccuracy: measured });
  // (0.3 + 0.9 - 1) / (0.9 + 0.9 - 1)
  expect(audit.correctedFn!.estimate).toBeCloseTo(0.25, 12);
  const coin = { truePos: 25, goldPass: 50, trueNeg: 25, goldFail: 50 };
  const blind = await auditVerifier(failed(40), { judge: overturning(12), judgeAccuracy: coin });
  expect(blind.correctedFn!.estimate).toBeNull();
  expect(blind.warnings.map(({ code }) => code)).toContain("uninformative_judge");
});

test("reasons are kinds: without the verifier's name, numbers and details", async () => {
  const said = [
    "Numeric: got 7, want 8",
    "Numeric: got 9.5, want 8",
    "Numeric: no number in the answer",
    "No Number (in it)",
  ];
  const audit = await auditVerifier(
    failed(4, (i) => said[i]!),
    { judge: overturning(2), concurrency: 1 },
  );
  expect(audit.reasons).toEqual([
    { reason: "got #, want #", n: 2, falseNegatives: 2 },
    { reason: "no number", n: 1, falseNegatives: 0 },
    { reason: "no number in the answer", n: 1, falseNegatives: 0 },
  ]);
  expect(audit.warnings.map(({ code }) => code)).toContain("few_checked");
});

test("the other side, failing calls, and rows that are not the verifier's", async () => {
  const passed = failed(30).map((row) => ({ ...row, reward: 1 }));
  const others: Row[] = [{ reward: null }, { reward: 0.5 }, { reward: 0, judge_status: "error" }];
  const judge: Judge = ({ task_id: task }) => {
    if (task === "t1") throw new RangeError("down");
    return 0;
  };
  const audit = await auditVerifier([...failed(30), ...passed, ...others], { judge, passes: 30, sample: 30 });
  expect(audit).toMatchObject({
    nRows: 63,
    nFailed: 30,
    nPassed: 30,
    nChecked: 29,
    nPassesChecked: 29,
    fpRate: 1,
    nJudgeErrors: 2,
  });
  expect(audit.warnings.map(({ code }) => code)).toEqual(["false_positives", "judge_errors", "second_opinion"]);
});

test("nothing failed is nothing to audit", async () => {
  const audit = await auditVerifier([], { judge: () => 1 });
  expect(audit).toMatchObject({ fnRate: null, fnCi95: null, estimatedWrongFails: null });
  expect(formatVerifierAudit(audit)).toContain("verifier failed no row: there is nothing to audit");
});

test("the text gives the rate first, then why, then what to mind", async () => {
  const audit = await auditVerifier(failed(40), { judge: overturning(7), concurrency: 1 });
  expect(formatVerifierAudit(audit)).toBe(
    [
      "Numeric fails right answers: 17.5% [0.09..0.32] of 40 read (40 failed)",
      "  reader finds 7 of 40 failed answers right: about 7 of all 40",
      "  7 of 40  got #, want #",
      "! Numeric fails right answers (7 of 40 read): mend it before training",
      "! reader is a second opinion and no gold: check it on labels (judgeTrust)",
    ].join("\n"),
  );
});

test.each<[options: object, message: string]>([
  [{ sample: 0 }, "sample is 0."],
  [{ passes: -1 }, "passes is -1."],
  [{ fnWarn: 1 }, "fnWarn is 1."],
  [{ judge: undefined }, "auditVerifier got no judge."],
])("auditVerifier refuses %j", async (options, message) => {
  await expect(auditVerifier([], { judge: () => 1, ...options } as never)).rejects.toThrow(message);
});
