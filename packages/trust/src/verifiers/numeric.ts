import { textOf } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { extractAnswer } from "./extract-answer.ts";
import { readNumber, sameNumber } from "./read-number.ts";
import { type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

export interface NumericOptions extends ReferenceOptions {
  /** How far the number may be off. */
  tol?: number;
  /** How far it may be off as a share of the reference; the wider of the two holds. */
  rel?: number;
}

/**
 * The number in the reply's answer is the reference's: the last one in the answer as `extractAnswer` finds it, read by
 * `readNumber`. A reply without a number scores 0; a reference without one is null.
 *
 * @throws TrustError `bad_option` for a tolerance that is negative or not finite
 */
export function numeric({ tol = 1e-6, rel = 0, field }: NumericOptions = {}): Verifier<JudgeVerdict> {
  for (const [name, value] of Object.entries({ tol, rel })) {
    if (!(value >= 0 && Number.isFinite(value))) {
      throw new TrustError("bad_option", `${name} is ${value}.`, "Give a number from 0 up.");
    }
  }
  const isNear = (got: number, want: number) => Math.abs(got - want) <= Math.max(tol, rel * Math.abs(want));
  const check = (candidate: string, reference: unknown) => {
    const want = readNumber(textOf(reference));
    if (want === null) return [null, "the reference holds no number"] as const;
    const got = readNumber(extractAnswer(candidate));
    if (got === null) return [0, "no number in the answer"] as const;
    return sameNumber(got, want, isNear) ? true : ([0, `got ${got.value}, want ${textOf(reference)}`] as const);
  };
  const options = { settings: { tol, rel } };
  return verifierOf("Numeric", check, field === undefined ? options : { ...options, field });
}
