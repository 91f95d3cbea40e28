import { textOf } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { normalizeText } from "./normalize-text.ts";
import { isWholeToken } from "./token-bounds.ts";
import { type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

export interface IncludesOptions extends ReferenceOptions {
  /** One or several texts that must all be in the reply; the reference, or every item of it, when left out. */
  texts?: string | readonly string[];
}

/**
 * The reply holds every text, as whole words: 7 is not in "17". Case, spaces and compatibility characters do not count.
 *
 * @throws TrustError `bad_option` for a text that is blank, which every reply holds
 */
export function includes({ texts, field }: IncludesOptions = {}): Verifier<JudgeVerdict> {
  const given = texts === undefined ? null : [texts].flat();
  if (given !== null && (given.length === 0 || given.some((text) => normalizeText(text) === ""))) {
    throw new TrustError("bad_option", "Includes got a blank text.", "Give it the words that a right reply holds.");
  }
  const check = (candidate: string, reference: unknown) => {
    const wanted = (given ?? [reference].flat())
      .map((item) => normalizeText(textOf(item)))
      .filter((text) => text !== "");
    if (wanted.length === 0) return [null, "the reference has no words"] as const;
    const reply = normalizeText(candidate);
    const missing = wanted.filter((text) => !holdsToken(reply, text)).length;
    return missing === 0 ? true : ([0, `${missing} of ${wanted.length} texts are not in the reply`] as const);
  };
  const options = { settings: { texts: given }, needsReference: given === null };
  return verifierOf("Includes", check, field === undefined ? options : { ...options, field });
}

function holdsToken(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    if (isWholeToken(text, at, at + token.length)) return true;
  }
  return false;
}
