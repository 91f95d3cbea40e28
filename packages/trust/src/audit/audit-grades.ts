import { checkOptions, cutCodePoints, isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import { binaryReward, type Confusion, cohenKappa, type Interval, type Warning, wilsonInterval } from "@while/stats";
import { counted } from "../counted.ts";
import type { Judge } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { stampName } from "../judge/stamp-name.ts";
import { TrustError } from "../trust-error.ts";
import { withoutVerdict } from "./without-verdict.ts";

/** Disagreements from which a finding is told. */
const MIN_FINDING_ROWS = 2;
/** Share of a reason's rows that the auditor disputes from which the reason itself is in doubt. */
const DISPUTED_RATE = 0.5;
const MAX_ERRORS = 5;
const MAX_REASON_EXAMPLES = 3;
const PROMPT_CHARS = 300;

export interface AuditGradesOptions {
  /** A second judge, over another model than the one that graded: `llmJudge(model)`, a rule, a person's lookup. */
  auditor: Judge;
  /** Rows that are read, from the first; all when left out. */
  limit?: number;
  concurrency?: number;
}

export interface Disagreement {
  prompt: string;
  label: 0 | 1;
  auditorLabel: 0 | 1;
  reason: string;
  auditorReason: string;
}

/** What became of the rows with one reason. */
export interface ReasonDispute {
  audited: number;
  disagreed: number;
  rate: number;
  examples: string[];
}

/** `false_pass`: bad work is paid; `false_fail`: good work is not; `disputed_reason`: one reason is mostly wrong. */
export type GradeFindingCode = "false_pass" | "false_fail" | "disputed_reason";

export interface GradeAudit {
  /** `empty`: no row has a label of 0 or 1. `unreachable`: the auditor gave no verdict at all. */
  status: "audited" | "unreachable" | "empty";
  grader: string;
  auditor: string;
  nRows: number;
  audited: number;
  /** Rows on which the auditor gave no verdict of 0 or 1. */
  unreachable: number;
  agreed: number;
  disagreed: number;
  agreement: number | null;
  agreementCi95: Interval | null;
  /** Null where both always say the same. */
  kappa: number | null;
  /** Labeled 1 where the auditor says 0, and the other way round. */
  falsePass: number;
  falseFail: number;
  disagreements: Disagreement[];
  byJudgeReason: Map<string, ReasonDispute>;
  findings: Warning<GradeFindingCode>[];
  /** The first five. */
  errors: string[];
}

/**
 * A second opinion on labels of 0 and 1: the auditor reads the rows without their verdicts, and the two are compared
 * afterwards. Writes no reward. Agreement of two judges is no accuracy: both may be wrong the same way.
 *
 * @throws TrustError `bad_option`, also when the auditor is the grader
 */
export async function auditGrades(rows: readonly Row[], options: AuditGradesOptions): Promise<GradeAudit> {
  checkOptions(options, ["auditor", "limit", "concurrency"], (what, fix) => new TrustError("bad_option", what, fix));
  const { auditor, limit, concurrency = 16 } = options;
  if (typeof auditor !== "function") {
    throw new TrustError("bad_option", "auditGrades got no auditor.", "Pass auditor: a judge over another model.");
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new TrustError("bad_option", `limit is ${limit}.`, "Give a whole number of 1 or more.");
  }
  const labeled = rows.filter((row) => binaryReward(row) !== null).slice(0, limit);
  const grader = graderOf(labeled[0]);
  const auditorName = auditor.model ?? stampName(auditor);
  if (labeled.length > 0 && (grader === auditorName || grader === stampName(auditor))) {
    const what = `The auditor is the grader: both are ${grader}.`;
    throw new TrustError("bad_option", what, "Pass an auditor over another model.");
  }
  const { rows: read } = await runJudge(labeled.map(withoutVerdict), auditor, { concurrency, source: "audit" });

  const confusion: Confusion = { tp: 0, fp: 0, fn: 0, tn: 0 };
  const audit: GradeAudit = {
    ...{ status: "audited", grader, auditor: auditorName, nRows: rows.length, audited: 0, unreachable: 0, agreed: 0 },
    ...{ disagreed: 0, agreement: null, agreementCi95: null, kappa: null, falsePass: 0, falseFail: 0 },
    ...{ disagreements: [], byJudgeReason: new Map(), findings: [], errors: [] },
  };
  for (const [i, row] of labeled.entries()) count(audit, confusion, row, read[i]!);
  const { audited, agreed } = audit;
  if (audited === 0) audit.status = labeled.length === 0 ? "empty" : "unreachable";
  else {
    audit.agreement = roundHalfEven(agreed / audited, 4);
    audit.agreementCi95 = wilsonInterval(agreed, audited);
    audit.kappa = cohenKappa(confusion);
  }
  for (const dispute of audit.byJudgeReason.values())
    dispute.rate = roundHalfEven(dispute.disagreed / dispute.audited, 3);
  audit.findings = findingsOf(audit);
  return audit;
}

function count(audit: GradeAudit, confusion: Confusion, row: Row, read: Row): void {
  const label = binaryReward(row)!;
  const auditorLabel = binaryReward(read);
  if (auditorLabel === null) {
    audit.unreachable++;
    const error = isObject(read.judge_meta) ? textOf(read.judge_meta.error) : "";
    if (audit.errors.length < MAX_ERRORS)
      audit.errors.push(error || `${textOf(read.judge_status)}: ${textOf(read.reason)}`);
    return;
  }
  audit.audited++;
  const reason = textOf(row.reason);
  const dispute = audit.byJudgeReason.get(reason) ?? { audited: 0, disagreed: 0, rate: 0, examples: [] };
  audit.byJudgeReason.set(reason, dispute);
  dispute.audited++;
  if (label === auditorLabel) {
    audit.agreed++;
    if (label === 1) confusion.tp++;
    else confusion.tn++;
    return;
  }
  audit.disagreed++;
  dispute.disagreed++;
  if (label === 1) {
    audit.falsePass++;
    confusion.fp++;
  } else {
    audit.falseFail++;
    confusion.fn++;
  }
  const prompt = cutCodePoints(textOf(row.prompt), PROMPT_CHARS);
  audit.disagreements.push({ prompt, label, auditorLabel, reason, auditorReason: textOf(read.reason) });
  if (dispute.examples.length < MAX_REASON_EXAMPLES) dispute.examples.push(prompt);
}

function graderOf(row: Row | undefined): string {
  const model = isObject(row?.judge_meta) ? textOf(row.judge_meta.model) : "";
  return model || textOf(row?.judge_name) || "unknown";
}

function findingsOf({ falsePass, falseFail, byJudgeReason }: GradeAudit): Warning<GradeFindingCode>[] {
  const findings: Warning<GradeFindingCode>[] = [];
  if (falsePass >= MIN_FINDING_ROWS) {
    const text = `${counted(falsePass, "row")} passed that the auditor fails: a hole in the rubric, and training on them teaches what it was to remove`;
    findings.push({ code: "false_pass", text });
  }
  if (falseFail >= MIN_FINDING_ROWS) {
    const text = `${counted(falseFail, "row")} failed that the auditor passes: the rubric is too strict, and good work is not paid`;
    findings.push({ code: "false_fail", text });
  }
  for (const [reason, { audited, disagreed, rate }] of byJudgeReason) {
    if (disagreed < MIN_FINDING_ROWS || rate < DISPUTED_RATE) continue;
    const shown = reason === "" ? "rows without a reason" : `the reason ${JSON.stringify(cutCodePoints(reason, 80))}`;
    findings.push({ code: "disputed_reason", text: `${shown}: the auditor disputes ${disagreed} of ${audited}` });
  }
  return findings;
}
