import { formatFixed, formatPercent, formatSigned } from "@while/schema";
import type { RunConfig } from "../config/run-config.ts";
import { UNPAIRED_MAJORITY_SHARE } from "../constants.ts";
import { countOf } from "../count-of.ts";
import type { AnsweredShares } from "./answered-shares.ts";
import type { DeltaSettings, VariedSetting } from "./delta-options.ts";
import type { DeltaWarning } from "./delta-warning.ts";
import type { MetricDelta } from "./metric-deltas.ts";

/** What makes two runs two evals rather than two agents. */
export type IncomparableCause =
  | "situations"
  | "prompt_hash"
  | "graded_share"
  | "answered"
  | "user_model"
  | "writer_model"
  | "model"
  | "temperature"
  | "max_tokens"
  | "judge_version";

export interface Cause {
  cause: IncomparableCause;
  /** The gate does not hold with it; a prompt edit in compat leaves it alone. */
  fails: boolean;
  warning: DeltaWarning;
}

export interface ComparabilityInput {
  config: { before: RunConfig; after: RunConfig };
  /** The metric whose pairing counts, and the headline's delta and band. */
  pairing: MetricDelta;
  headline: MetricDelta;
  gradedBound: number | null;
  answered: AnsweredShares | null;
  settings: DeltaSettings;
}

/** In the order they are reported. */
export function incomparableCauses(input: ComparabilityInput): Cause[] {
  const { config, settings } = input;
  const causes = [
    situations(input),
    prompt(input),
    gradedShare(input),
    answered(input),
    differs("user_model", "user", config.before.userModel, config.after.userModel, settings),
    differs("writer_model", "writer", offline(config.before.writerModel), offline(config.after.writerModel), settings),
    ...experiment(input),
  ];
  return causes.filter((cause) => cause !== null);
}

function causeOf(cause: IncomparableCause, text: string, fails = true): Cause {
  return { cause, fails, warning: { code: "not_comparable", text: `NOT COMPARABLE: ${text}` } };
}

function situations({ pairing }: ComparabilityInput): Cause | null {
  const { pairedShare, nPaired, nOnlyA, nOnlyB, metric } = pairing;
  if (pairedShare === null || pairedShare >= UNPAIRED_MAJORITY_SHARE || nOnlyA + nOnlyB === 0) return null;
  return causeOf(
    "situations",
    `${nPaired} of ${countOf(nPaired + nOnlyA + nOnlyB, "task")} with ${metric} are in both runs (${nOnlyA} only before, ` +
      `${nOnlyB} only after), so two sets of situations are compared and not two policies. What usually changed: the share ` +
      "of hard ones, the dimensions, the seed. The delta over the few that pair is between two evals. Pin the after side " +
      "to the tasks of the before side",
  );
}

function prompt({ config, settings }: ComparabilityInput): Cause | null {
  const [a, b] = [config.before.promptHash, config.after.promptHash];
  const isVaried = settings.varied?.includes("prompt") ?? false;
  if (a === null || b === null || a === b || isVaried) return null;
  if (settings.inference === "strict" && settings.varied === undefined) return null;
  const text = `the system prompts differ, ${a} before and ${b} after: re-run one side with the other's`;
  return causeOf("prompt_hash", text, settings.inference === "strict");
}

/**
 * How far ungraded rows could move the delta: d / (1 - d) of each side, d the share without a verdict. Null where a share
 * is not known.
 */
export function gradedBoundOf({ before, after }: ComparabilityInput["config"]): number | null {
  if (before.gradedShare === null || after.gradedShare === null) return null;
  const part = (graded: number) => (graded === 0 ? 1 : (1 - graded) / graded);
  return part(before.gradedShare) + part(after.gradedShare);
}

/** What a bound on a bias is held against: the noise band, else half the interval. Null without either. */
export function biasBar({ noiseBand, ci95 }: MetricDelta): number | null {
  return noiseBand ?? (ci95 === null ? null : (ci95[1] - ci95[0]) / 2);
}

function gradedShare({ config, headline, gradedBound }: ComparabilityInput): Cause | null {
  const bar = biasBar(headline);
  if (gradedBound === null || bar === null || headline.delta === null) return null;
  if (gradedBound <= bar || gradedBound < Math.abs(headline.delta)) return null;
  const [a, b] = [config.before.gradedShare, config.after.gradedShare];
  return causeOf(
    "graded_share",
    `${formatPercent(a)} of rows are graded before and ${formatPercent(b)} after. Ungraded rows are no random sample, and ` +
      `these could move the delta by ${formatFixed(gradedBound, 3)}, which is ${formatSigned(headline.delta, 3)}: re-grade`,
  );
}

function answered({ config, answered: shares }: ComparabilityInput): Cause | null {
  if (shares === null || !shares.fails) return null;
  return causeOf(
    "answered",
    `${answeredText(shares)}, above the bar of ${formatFixed(shares.bar, 3)}. ${mechanism(config)}`,
  );
}

export function answeredText({ before, after, p, gap }: AnsweredShares): string {
  const share = ({ answered, withReply }: AnsweredShares["before"]) => formatPercent(answered / withReply);
  return (
    `${share(before)} of rows have an answer before and ${share(after)} after ` +
    `(p ${p === null ? "not measured" : p < 0.001 ? "< 0.001" : formatFixed(p, 3)}), a gap of ${formatFixed(gap, 3)}`
  );
}

function mechanism({ before, after }: ComparabilityInput["config"]): string {
  const [openA, openB] = [before.unclosedThinkShare ?? 0, after.unclosedThinkShare ?? 0];
  if (openA > 0 || openB > 0) {
    return `Reasoning is never closed on ${formatPercent(openA)} of rows before and ${formatPercent(openB)} after: raise the token budget of both sides`;
  }
  const [cutA, cutB] = [before.truncatedShare ?? 0, after.truncatedShare ?? 0];
  if (cutA > 0 || cutB > 0) {
    return `The token cap cut ${formatPercent(cutA)} of rows before and ${formatPercent(cutB)} after: raise it on both sides`;
  }
  return "Neither open reasoning nor the token cap explains it: read finish_reason, and re-run the rows without a reply";
}

function differs(
  cause: IncomparableCause,
  setting: VariedSetting,
  a: string | number | null,
  b: string | number | null,
  { varied }: DeltaSettings,
): Cause | null {
  if (a === null || b === null || a === b || varied?.includes(setting)) return null;
  return causeOf(cause, `${cause} is ${a} before and ${b} after: pin it on both sides`);
}

/** Situations that no model wrote are written alike, whoever laid them down. */
function offline(writer: string | null): string | null {
  return writer !== null && ["seed", "template", "pinned", "callable-writer"].includes(writer) ? "offline" : writer;
}

/** With the treatment named, what is not named has to match. */
function experiment({ config: { before, after }, settings }: ComparabilityInput): (Cause | null)[] {
  if (settings.varied === undefined) return [];
  return [
    differs("model", "model", modelOf(before.policyVersion), modelOf(after.policyVersion), settings),
    differs("temperature", "temperature", before.temperature, after.temperature, settings),
    differs("max_tokens", "max_tokens", before.maxTokens, after.maxTokens, settings),
    differs("judge_version", "judge", before.judgeVersion, after.judgeVersion, settings),
  ];
}

/** The served name: a policy version is `model@hash of its prompt`. */
export function modelOf(policyVersion: string | null): string | null {
  return policyVersion === null ? null : policyVersion.split("@")[0]!;
}
