import { textOf } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { normalizeText } from "./normalize-text.ts";
import { type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

/** The whole reply is the reference, or one of them where it is a list; both as `normalizeText` has them. */
export function exactMatch({ field }: ReferenceOptions = {}): Verifier<JudgeVerdict> {
  const check = (candidate: string, reference: unknown) => {
    const got = normalizeText(candidate);
    const accepted = (Array.isArray(reference) ? reference : [reference]).map((item) => normalizeText(textOf(item)));
    return accepted.includes(got) ? true : ([0, "the reply is not the reference"] as const);
  };
  return verifierOf("ExactMatch", check, { ...(field === undefined ? {} : { field }) });
}
