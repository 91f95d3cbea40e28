import { cutCodePoints, pyJson, type Row, sha256Hex } from "@while/schema";
import type { JudgeContext, JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { candidateText } from "./candidate-text.ts";
import { redactReference } from "./redact-reference.ts";
import { referenceOf } from "./reference-of.ts";

/**
 * A program under the judge contract. Called with a row it says `reward`, `reason` and `judge_meta.verifier`. The reward
 * is null, with the reason, where the program cannot tell: no answer key, or a key it cannot read. That is no zero.
 */
export type Verifier<Verdict = JudgeVerdict | Promise<JudgeVerdict>> = ((
  row: Row,
  context?: JudgeContext,
) => Verdict) & {
  readonly judgeName: string;
  readonly kind: "rule";
  readonly version: string;
};

/** What a check has to say beside its score. */
export interface CheckDetails {
  markers?: Record<string, number>;
  judge_meta?: Record<string, unknown>;
}

/** A score in [0, 1] (what lies outside is clamped) or a verdict, with its reason; null where it cannot tell. */
export type CheckResult =
  | number
  | boolean
  | null
  | readonly [score: number | boolean | null, reason: string, details?: CheckDetails];

/** What a verifier does with a candidate. `reference` is null only where `needsReference` is false. */
export type Check<Result> = (candidate: string, reference: unknown, row: Row, context: JudgeContext) => Result;

/** What the verifiers that compare with an answer key share. */
export interface ReferenceOptions {
  /** Where a row has its answer key; looked for in the usual places when left out. */
  field?: string;
}

export interface VerifierOfOptions extends ReferenceOptions {
  /** Without a reference the verdict is null. */
  needsReference?: boolean;
  /** Whatever else changes the verdicts; it becomes part of `version`. */
  settings?: Readonly<Record<string, unknown>>;
}

const REASON_CHARS = 400;

/**
 * Makes a verifier of a check. The candidate is the row's final text, the reference its answer key; where that came out
 * of `privileged`, the reason never quotes it.
 *
 * A check that throws TrustError `cannot_verify` gives a null reward with the error in `judge_meta`; any other error is
 * the check's own fault and passes through, and `runJudge` makes `judge_status: "error"` of it.
 */
export function verifierOf(
  name: string,
  check: Check<CheckResult>,
  options?: VerifierOfOptions,
): Verifier<JudgeVerdict>;
export function verifierOf(
  name: string,
  check: Check<Promise<CheckResult>>,
  options?: VerifierOfOptions,
): Verifier<Promise<JudgeVerdict>>;
export function verifierOf(
  name: string,
  check: Check<CheckResult> | Check<Promise<CheckResult>>,
  { field, needsReference = true, settings = {} }: VerifierOfOptions = {},
): Verifier {
  const verify = (row: Row, context: JudgeContext = {}): JudgeVerdict | Promise<JudgeVerdict> => {
    const reference = referenceOf(row, field);
    if (needsReference && reference === null) {
      const where = field === undefined ? "" : ` at ${field}`;
      return verdictOf(name, [null, `the row has no reference${where}`]);
    }
    const gold = reference?.isPrivileged ? reference : null;
    const said = (result: CheckResult) => verdictOf(name, result, gold);
    try {
      const result = check(candidateText(row), reference?.value ?? null, row, context);
      return result instanceof Promise ? result.then(said, (error) => cannotTell(name, error, gold)) : said(result);
    } catch (error) {
      return cannotTell(name, error, gold);
    }
  };
  const hash = sha256Hex(pyJson({ field: field ?? null, settings })).slice(0, 12);
  return Object.assign(verify, { judgeName: name, kind: "rule", version: `${name}@${hash}` } as const);
}

function verdictOf(name: string, result: CheckResult, gold: { value: unknown } | null = null): JudgeVerdict {
  const [given, said, { markers, judge_meta: details } = {}]: readonly [
    number | boolean | null,
    string,
    CheckDetails?,
  ] = typeof result === "object" && result !== null ? result : [result, ""];
  const reward = given === null ? null : clamped(Number(given), name);
  const reason = `${name}: ${said === "" ? outcomeOf(reward) : said}`;
  const verdict: JudgeVerdict = { reward, reason: shown(reason, gold), judge_meta: { ...details, verifier: name } };
  return markers === undefined ? verdict : { ...verdict, markers };
}

function cannotTell(name: string, error: unknown, gold: { value: unknown } | null): JudgeVerdict {
  if (!(error instanceof TrustError) || error.code !== "cannot_verify") throw error;
  const reason = shown(`${name}: ${error.what}`, gold);
  return { reward: null, reason, judge_meta: { verifier: name, error: reason } };
}

/** Cut last: a key that was cut in two would be found by no search. */
function shown(reason: string, gold: { value: unknown } | null): string {
  return cutCodePoints(gold === null ? reason : redactReference(reason, gold.value), REASON_CHARS);
}

function clamped(score: number, name: string): number {
  if (Number.isNaN(score)) {
    throw new TrustError("cannot_verify", `${name} scored NaN.`, "Return a number from 0 to 1, or null.");
  }
  return Math.min(1, Math.max(0, score));
}

function outcomeOf(reward: number | null): string {
  if (reward === null) return "cannot tell";
  return reward === 1 ? "passed" : reward === 0 ? "failed" : `scored ${reward}`;
}
