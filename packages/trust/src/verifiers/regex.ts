import type { JudgeVerdict } from "../judge/judge.ts";
import { linearPattern } from "./linear-pattern.ts";
import { type Verifier, verifierOf } from "./verifier.ts";

export interface RegexOptions {
  /** Letters of `i`, `m`, `s`, `u`. */
  flags?: string;
  /** The whole reply, edges trimmed, must match; a part of it is enough when false. */
  whole?: boolean;
}

/**
 * The reply matches a pattern of JavaScript, read as with the flag `u`. Time grows with the text and never explodes;
 * what no matcher does in linear time (lookaround, back-references) is refused when the verifier is made.
 *
 * @throws TrustError `bad_option`
 */
export function regex(pattern: string, { flags = "", whole = false }: RegexOptions = {}): Verifier<JudgeVerdict> {
  const linear = linearPattern(whole ? `^(?:${pattern})$` : pattern, whole ? flags.replace("m", "") : flags);
  const check = (candidate: string) => {
    if (linear.test(whole ? candidate.trim() : candidate)) return true;
    return [0, whole ? "the reply is not of the pattern" : "nothing in the reply matches the pattern"] as const;
  };
  return verifierOf("Regex", check, { needsReference: false, settings: { pattern, flags, whole } });
}
