import { isObject, type Row, roundHalfEven } from "@while/schema";
import type { JudgeContext, JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { type Verifier, verifierOf } from "./verifier.ts";

/** What one verifier of several said. */
interface Part {
  verifier: string;
  score: number | null;
  reason: string;
}

type Combined = readonly [score: number | null, reason: string];

/** All must hold: the lowest score, with the first reason for it. Null as soon as one cannot tell. */
export function allOf(verifiers: readonly Verifier[]): Verifier<Promise<JudgeVerdict>> {
  return combined("All", verifiers, {}, (parts) => {
    const unknown = parts.find(({ score }) => score === null);
    if (unknown !== undefined) return [null, unknown.reason];
    const lowest = Math.min(...parts.map(({ score }) => score!));
    return [lowest, lowest === 1 ? "" : parts.find(({ score }) => score === lowest)!.reason];
  });
}

/** One must hold: the highest score, with the first reason for it. What cannot tell is left out; null if none can. */
export function anyOf(verifiers: readonly Verifier[]): Verifier<Promise<JudgeVerdict>> {
  return combined("Any", verifiers, {}, (parts) => {
    const known = parts.filter(({ score }) => score !== null);
    if (known.length === 0) return [null, parts[0]!.reason];
    const highest = Math.max(...known.map(({ score }) => score!));
    return [highest, known.find(({ score }) => score === highest)!.reason];
  });
}

/**
 * The mean of the scores by their weights, to 4 decimals. Null as soon as one cannot tell.
 *
 * @throws TrustError `bad_option` for a weight that is negative or not finite, or weights that sum to 0
 */
export function weighted(
  verifiers: readonly (readonly [verifier: Verifier, weight: number])[],
): Verifier<Promise<JudgeVerdict>> {
  const weights = verifiers.map(([, weight]) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!weights.every((weight) => weight >= 0 && Number.isFinite(weight)) || !(total > 0)) {
    throw new TrustError(
      "bad_option",
      `The weights are ${weights.join(", ")}.`,
      "Give weights from 0 up, one above 0.",
    );
  }
  const all = verifiers.map(([verifier]) => verifier);
  return combined("Weighted", all, { weights }, (parts) => {
    const unknown = parts.find(({ score }) => score === null);
    if (unknown !== undefined) return [null, unknown.reason];
    const sum = parts.reduce((sum, { score }, i) => sum + weights[i]! * score!, 0);
    return [roundHalfEven(sum / total, 4), parts.map(({ verifier, score }) => `${verifier} ${score}`).join(", ")];
  });
}

/** The verdicts of several, put together by a rule; what each said is in `judge_meta.parts`. */
function combined(
  name: string,
  verifiers: readonly Verifier[],
  settings: Readonly<Record<string, unknown>>,
  rule: (parts: readonly Part[]) => Combined,
): Verifier<Promise<JudgeVerdict>> {
  if (verifiers.length === 0) throw new TrustError("bad_option", `${name} got no verifiers.`, "Give it one or more.");
  const versions = verifiers.map(({ version }) => version);
  const combine = async (row: Row, context: JudgeContext = {}): Promise<JudgeVerdict> => {
    const parts: Part[] = [];
    // One after the other: among them may be programs that take a processor each.
    for (const verifier of verifiers) parts.push(partOf(verifier.judgeName, await verifier(row, context)));
    const verdict = await verifierOf(name, () => rule(parts), { needsReference: false })(row);
    return { ...verdict, judge_meta: { ...verdict.judge_meta, parts } };
  };
  // Hashed like any other setting: other parts are another judge.
  const { version } = verifierOf(name, () => null, { settings: { versions, ...settings } });
  return Object.assign(combine, { judgeName: name, kind: "rule", version } as const);
}

function partOf(verifier: string, { reward, reason, judge_meta }: JudgeVerdict): Part {
  const score = typeof reward === "number" ? reward : null;
  const inner = isObject(judge_meta) && Array.isArray(judge_meta.parts) ? { parts: judge_meta.parts } : {};
  return { verifier, score, reason: reason ?? "", ...inner };
}
