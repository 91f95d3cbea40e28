import { checkOptions, cutCodePoints, isObject, type Row, roundHalfEven, taskKey, textOf } from "@while/schema";
import { type Interval, type RoganGladen, roganGladen, type Warning, wilsonInterval } from "@while/stats";
import type { Judge } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import { stampName } from "../judge/stamp-name.ts";
import { TrustError } from "../trust-error.ts";
import { drawRows } from "./draw-rows.ts";
import { withoutVerdict } from "./without-verdict.ts";

/** Share of right answers that a rule may fail before it is to be mended. */
export const FN_WARN = 0.1;
/** Failed rows whose audit says little. */
const MIN_AUDITED_FAILS = 20;
const AUDIT_SAMPLE = 40;
const PASS = 0.5;
const MAX_EXAMPLES = 5;
const SHOWN_CHARS = 160;

/** What the judge is asked where the row has no rubric of its own. */
export const AUDIT_QUESTION: string =
  "The reference is the key. Is the final answer of the reply the same result as the reference? Another format, another " +
  "rounding, another order (unless an order is asked for), other names or an equivalent expression do not make it wrong. " +
  "An answer that is missing, that is another one, or that is only part of it is wrong.";

/** How often the judge was right on gold labels, on work that passes and on work that fails. */
export interface JudgeAccuracy {
  truePos: number;
  goldPass: number;
  trueNeg: number;
  goldFail: number;
}

export interface AuditVerifierOptions {
  judge: Judge;
  /** Failed rows that are read. */
  sample?: number;
  /** Passed rows that are read, for the other side. */
  passes?: number;
  question?: string;
  seed?: number;
  fnWarn?: number;
  concurrency?: number;
  /** Measured on labels; without it no rate is corrected for the judge's own errors. */
  judgeAccuracy?: JudgeAccuracy;
}

export type VerifierAuditWarningCode =
  | "false_negatives"
  | "false_positives"
  | "few_checked"
  | "judge_errors"
  | "uninformative_judge"
  | "second_opinion";

/** One reason of the verifier, numbers aside. */
export interface ReasonAudit {
  reason: string;
  n: number;
  falseNegatives: number;
}

export interface VerifierAuditExample {
  task: string;
  prompt: string;
  reply: string;
  /** The verifier's reason, and the judge's. */
  reason: string;
  judgeReason: string;
}

export interface VerifierAudit {
  verifier: string;
  judge: string;
  question: string;
  nRows: number;
  nFailed: number;
  nPassed: number;
  nSampled: number;
  /** Sampled failed rows that the judge gave a verdict on. */
  nChecked: number;
  /** Of them, those that the judge finds right. */
  falseNegatives: number;
  fnRate: number | null;
  fnCi95: Interval | null;
  /** Of all failed rows, by the rate above. */
  estimatedWrongFails: number | null;
  /** The same rate with the judge's own errors taken out (Rogan and Gladen 1978); null without `judgeAccuracy`. */
  correctedFn: RoganGladen | null;
  nPassesChecked: number;
  falsePositives: number;
  fpRate: number | null;
  fpCi95: Interval | null;
  nJudgeErrors: number;
  /** Reasons of the failed rows that were checked, those with most wrong fails first. */
  reasons: ReasonAudit[];
  examples: VerifierAuditExample[];
  warnings: Warning<VerifierAuditWarningCode>[];
  summary: string;
}

const OPTIONS = ["judge", "sample", "passes", "question", "seed", "fnWarn", "concurrency", "judgeAccuracy"] as const;

/**
 * Is a rule failing right answers? A judge reads a sample of the rows that the rule failed, without its verdict, and says
 * whether the answer is the reference. A right answer with reward 0 teaches the policy away from it.
 *
 * The judge is a second opinion and no gold: its own errors go into the rate. With `judgeAccuracy`, measured on labels,
 * they are taken out again.
 *
 * @throws TrustError `bad_option`
 */
export async function auditVerifier(rows: readonly Row[], options: AuditVerifierOptions): Promise<VerifierAudit> {
  checkAuditOptions(options);
  const { judge, sample = AUDIT_SAMPLE, passes = 0, question = AUDIT_QUESTION, seed = 0 } = options;
  const { fnWarn = FN_WARN, concurrency = 4, judgeAccuracy } = options;
  const graded = rows.filter(({ judge_status: status }) => status == null || status === "ok");
  const failed = graded.filter(({ reward }) => reward === 0);
  const passed = graded.filter(({ reward }) => reward === 1);
  const judgeName = stampName(judge);
  const read = async (drawn: readonly Row[]): Promise<Row[]> => {
    const asked = drawn.map((row) => askedRow(row, question));
    return (await runJudge(asked, judge, { concurrency, source: "audit", judgeName })).rows;
  };

  const sampled = drawRows(failed, sample, seed);
  const fails = checked(sampled, await read(sampled));
  const sampledPasses = drawRows(passed, passes, seed);
  const goods = checked(sampledPasses, await read(sampledPasses));
  const wrong = fails.filter(({ isRight }) => isRight);
  const falsePositives = goods.filter(({ isRight }) => !isRight).length;
  const rate = fails.length === 0 ? null : wrong.length / fails.length;
  const audit: VerifierAudit = {
    verifier: verifierNameOf(failed[0] ?? passed[0]),
    judge: judgeName,
    question,
    nRows: rows.length,
    nFailed: failed.length,
    nPassed: passed.length,
    nSampled: sampled.length,
    nChecked: fails.length,
    falseNegatives: wrong.length,
    fnRate: rate === null ? null : roundHalfEven(rate, 4),
    fnCi95: wilsonInterval(wrong.length, fails.length),
    estimatedWrongFails: rate === null ? null : roundHalfEven(rate * failed.length, 0),
    correctedFn:
      judgeAccuracy === undefined
        ? null
        : roganGladen({ judgePasses: wrong.length, n: fails.length, ...judgeAccuracy }),
    nPassesChecked: goods.length,
    falsePositives,
    fpRate: goods.length === 0 ? null : roundHalfEven(falsePositives / goods.length, 4),
    fpCi95: wilsonInterval(falsePositives, goods.length),
    nJudgeErrors: sampled.length - fails.length + sampledPasses.length - goods.length,
    reasons: reasonsOf(fails),
    examples: wrong.slice(0, MAX_EXAMPLES).map(exampleOf),
    warnings: [],
    summary: "",
  };
  audit.warnings = warningsOf(audit, fnWarn);
  audit.summary = summaryOf(audit);
  return audit;
}

interface Checked {
  row: Row;
  isRight: boolean;
  judgeReason: string;
}

/** Without the verdict, with the question, and with what the verifier said for a judge that wants to know. */
function askedRow(row: Row, question: string): Row {
  const privileged = isObject(row.privileged) ? row.privileged : {};
  const audit = { verifier: verifierNameOf(row), reason: textOf(row.reason), reward: row.reward };
  const rubric = privileged.rubric ?? question;
  return { ...withoutVerdict(row), privileged: { ...privileged, rubric }, audit };
}

function checked(rows: readonly Row[], read: readonly Row[]): Checked[] {
  return rows.flatMap((row, i) => {
    const { reward, reason } = read[i]!;
    return typeof reward === "number" ? [{ row, isRight: reward >= PASS, judgeReason: textOf(reason) }] : [];
  });
}

function verifierNameOf(row: Row | undefined): string {
  const meta = row?.judge_meta;
  return (isObject(meta) ? textOf(meta.verifier) : "") || textOf(row?.judge_name) || "verifier";
}

/** What kind of failure a reason tells of: without the verifier's name, its details and its numbers. */
function reasonKind(row: Row): string {
  const name = `${verifierNameOf(row)}:`;
  const reason = textOf(row.reason);
  const bare = reason.startsWith(name) ? reason.slice(name.length) : reason;
  const kind = bare.trim().split(/[:(]/, 1)[0]!;
  return (
    kind
      .trim()
      .replace(/\d+(?:[.,]\d+)*/g, "#")
      .toLowerCase() || "no reason"
  );
}

function reasonsOf(fails: readonly Checked[]): ReasonAudit[] {
  const reasons = new Map<string, ReasonAudit>();
  for (const { row, isRight } of fails) {
    const reason = reasonKind(row);
    const known = reasons.get(reason) ?? { reason, n: 0, falseNegatives: 0 };
    known.n++;
    if (isRight) known.falseNegatives++;
    reasons.set(reason, known);
  }
  return [...reasons.values()].sort(
    (a, b) => b.falseNegatives - a.falseNegatives || b.n - a.n || (a.reason < b.reason ? -1 : 1),
  );
}

function exampleOf({ row, judgeReason }: Checked): VerifierAuditExample {
  const shown = (text: unknown) => cutCodePoints(textOf(text), SHOWN_CHARS);
  const [prompt, reply, reason] = [row.prompt, row.final_text, row.reason].map(shown);
  return { task: taskKey(row), prompt: prompt!, reply: reply!, reason: reason!, judgeReason: shown(judgeReason) };
}

function warningsOf(audit: VerifierAudit, fnWarn: number): Warning<VerifierAuditWarningCode>[] {
  const { verifier, nChecked, falseNegatives, fnRate, nPassesChecked, falsePositives, fpRate, nJudgeErrors } = audit;
  const warnings: Warning<VerifierAuditWarningCode>[] = [];
  const warn = (code: VerifierAuditWarningCode, text: string) => warnings.push({ code, text });
  if (fnRate !== null && fnRate > fnWarn) {
    warn(
      "false_negatives",
      `${verifier} fails right answers (${falseNegatives} of ${nChecked} read): mend it before training`,
    );
  }
  if (fpRate !== null && fpRate > fnWarn) {
    warn("false_positives", `${verifier} passes wrong answers (${falsePositives} of ${nPassesChecked} read)`);
  }
  if (nChecked < MIN_AUDITED_FAILS) {
    warn("few_checked", `${nChecked} failed rows were read: under ${MIN_AUDITED_FAILS} a rate says little`);
  }
  if (nJudgeErrors > 0) warn("judge_errors", `${nJudgeErrors} rows got no verdict and are left out`);
  if (audit.correctedFn?.note === "uninformative") {
    warn("uninformative_judge", "the judge passes bad work as often as good: its opinion says nothing of the verifier");
  }
  warn("second_opinion", `${audit.judge} is a second opinion and no gold: check it on labels (judgeTrust)`);
  return warnings;
}

function summaryOf({ verifier, judge, nFailed, nChecked, falseNegatives, estimatedWrongFails }: VerifierAudit): string {
  if (nFailed === 0) return `${verifier} failed no row: there is nothing to audit`;
  if (nChecked === 0) return `${judge} gave no verdict on the rows that ${verifier} failed`;
  return `${judge} finds ${falseNegatives} of ${nChecked} failed answers right: about ${estimatedWrongFails} of all ${nFailed}`;
}

function checkAuditOptions(options: AuditVerifierOptions): void {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, OPTIONS, refuse);
  const { judge, sample = AUDIT_SAMPLE, passes = 0, fnWarn = FN_WARN } = options;
  if (typeof judge !== "function")
    throw refuse("auditVerifier got no judge.", "Pass judge: whoever reads the failed rows.");
  for (const [name, value, least] of [
    ["sample", sample, 1],
    ["passes", passes, 0],
  ] as const) {
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw refuse(`${name} is ${value}.`, `Give a whole number of ${least} or more.`);
  }
  if (!(fnWarn > 0 && fnWarn < 1)) throw refuse(`fnWarn is ${fnWarn}.`, "Give a share between 0 and 1.");
}
