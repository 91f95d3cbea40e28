import { textOf } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { extractAnswer } from "./extract-answer.ts";
import { type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

export interface MultipleChoiceOptions extends ReferenceOptions {
  /** How many options there are: 4 is A to D. */
  choices?: number;
}

/**
 * The option that the reply's answer names: `(B)`, `B.`, `\boxed{B}`, "the answer is B". Letters of the reasoning before
 * it do not count, and neither does the article of "The answer is a tiger". A reply that names none scores 0; a
 * reference that names none is null.
 *
 * @throws TrustError `bad_option` unless choices is a whole number from 2 to 26
 */
export function multipleChoice({ choices = 10, field }: MultipleChoiceOptions = {}): Verifier<JudgeVerdict> {
  if (!Number.isInteger(choices) || choices < 2 || choices > 26) {
    throw new TrustError("bad_option", `choices is ${choices}.`, "Give the number of options, from 2 to 26.");
  }
  const check = (candidate: string, reference: unknown) => {
    const want = optionOf(textOf(reference), choices);
    if (want === null) return [null, "the reference names no option"] as const;
    const got = optionOf(extractAnswer(candidate), choices);
    if (got === null) return [0, "the reply names no option"] as const;
    return got === want ? true : ([0, `chose ${got}`] as const);
  };
  const options = { settings: { choices } };
  return verifierOf("MultipleChoice", check, field === undefined ? options : { ...options, field });
}

/** A letter by itself, marks around it aside, or one with a mark or a reason behind it. */
function optionOf(answer: string, choices: number): string | null {
  const text = answer.replace(/\\(?:text|mathrm|mathbf|textbf)\s*\{([^{}]*)\}/g, "$1").trim();
  const found =
    /^(?:the\s+)?(?:correct\s+)?(?:option|choice|answer)?\s*[([{"'*$]*([A-Za-z])(?![A-Za-z0-9])(.*)$/is.exec(text);
  if (found === null) return null;
  const [, letter, rest] = found;
  const option = letter!.toUpperCase();
  if (option.charCodeAt(0) - 65 >= choices) return null;
  const goesOn = /^\s+[a-z]/.test(rest!) && !/^\s+(?:because|since|as|and|which|is|with|for)\b/.test(rest!);
  // "a tiger", "I think": words, where "B tiger" is an option with its text.
  if (goesOn && (letter !== option || option === "A" || option === "I")) return null;
  return /^['’]/.test(rest!) ? null : option;
}
