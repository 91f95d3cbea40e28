import { formatFixed, formatPercent } from "@while/schema";
import type { RunConfig } from "../config/run-config.ts";
import { answeredText, biasBar, type ComparabilityInput, modelOf } from "./comparability.ts";
import type { DeltaWarning } from "./delta-warning.ts";

const TRUNCATED_GAP = 0.05;
const GRADED_SHARE = 0.95;

/** What differs between the two setups without making them two evals. */
export function setupWarnings(input: ComparabilityInput): DeltaWarning[] {
  const { before, after } = input.config;
  const { varied = null, inference } = input.settings;
  const warnings: (DeltaWarning | null)[] = [
    // Once the treatment is named these are causes, or the treatment itself.
    ...(varied !== null
      ? []
      : [
          inference === "strict" ? differing("system prompt", before.promptHash, after.promptHash) : null,
          differing("judge version", before.judgeVersion, after.judgeVersion),
          differing("temperature", before.temperature, after.temperature),
          differing("reply budget (max_tokens)", before.maxTokens, after.maxTokens),
        ]),
    ...mixed("before", before),
    ...mixed("after", after),
    truncated(before, after),
    graded(input),
    answered(input),
    samePolicy(input),
    ownModel("user", before.userModel, after.userModel, input),
    ownModel("writer", before.writerModel, after.writerModel, input),
  ];
  return warnings.filter((warning) => warning !== null);
}

function differing(name: string, a: string | number | null, b: string | number | null): DeltaWarning | null {
  if (a === null || b === null || a === b) return null;
  return { code: "setting_differs", text: `the ${name} is ${a} before and ${b} after: the delta is of both changes` };
}

function mixed(side: string, { mixed: names }: RunConfig): DeltaWarning[] {
  if (names.length === 0) return [];
  const text = `${names.join(", ")} has several values within the ${side} side, so it is not compared with the other`;
  return [{ code: "setting_mixed", text }];
}

function truncated({ truncatedShare: a }: RunConfig, { truncatedShare: b }: RunConfig): DeltaWarning | null {
  if (a === null || b === null || Math.abs(a - b) <= TRUNCATED_GAP) return null;
  const text = `the token cap cut ${formatPercent(a)} of rows before and ${formatPercent(b)} after: part of the delta is the cap`;
  return { code: "truncated_shares", text };
}

function graded({ config: { before, after }, headline, gradedBound }: ComparabilityInput): DeltaWarning | null {
  const [a, b] = [before.gradedShare, after.gradedShare];
  if (a === null || b === null || gradedBound === null) return null;
  const shares = `${formatPercent(a)} of rows are graded before and ${formatPercent(b)} after`;
  const bar = biasBar(headline);
  if (bar !== null && headline.delta !== null && gradedBound > bar && gradedBound < Math.abs(headline.delta)) {
    const text = `${shares}: that could move the delta by ${formatFixed(gradedBound, 3)}, which it survives`;
    return { code: "graded_share", text };
  }
  if (a >= GRADED_SHARE && b >= GRADED_SHARE) return null;
  return {
    code: "graded_share",
    text: `${shares}: the rest are no random sample, and the numbers are of the survivors`,
  };
}

function answered({ answered: shares }: ComparabilityInput): DeltaWarning | null {
  if (shares === null || !shares.significant || shares.fails) return null;
  return { code: "answered_share", text: `${answeredText(shares)}, under the bar of ${formatFixed(shares.bar, 3)}` };
}

function samePolicy({ config: { before, after }, settings: { varied } }: ComparabilityInput): DeltaWarning | null {
  if (before.policyVersion === null || before.policyVersion !== after.policyVersion) return null;
  if (varied !== undefined && !varied.includes("model")) return null;
  return { code: "same_policy", text: `both sides are the policy ${before.policyVersion}: was one run loaded twice?` };
}

/** A simulated user that is the agent itself changes with the agent. */
function ownModel(
  role: string,
  a: string | null,
  b: string | null,
  { config: { before, after } }: ComparabilityInput,
): DeltaWarning | null {
  const name = modelOf(before.policyVersion);
  if (name === null || modelOf(after.policyVersion) !== name || before.policyVersion === after.policyVersion)
    return null;
  if (a !== name || b !== name) return null;
  const text = `the ${role} is ${name}, the agent's own name on both sides, under which its version changed: it may have changed with it`;
  return { code: "own_model", text };
}
