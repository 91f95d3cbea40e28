import { textOf } from "@while/schema";
import type { JudgeVerdict } from "../judge/judge.ts";
import { extractAnswer } from "./extract-answer.ts";
import { parseMath } from "./math/parse-math.ts";
import { sameMath } from "./math/same-math.ts";
import { type ReferenceOptions, type Verifier, verifierOf } from "./verifier.ts";

/** Characters of an answer that are read; a longer one is prose. */
const MAX_CHARS = 4000;

/**
 * The reply's answer equals the reference, as mathematics: numbers exactly, formulas at random points, sets in any
 * order, points, intervals, matrices, equations, and words as words. Answers are LaTeX or typed.
 *
 * What is outside of the grammar is null and never judged by its letters, unless the two are the same text. A reply
 * without an answer scores 0. Time is bounded by the length of the two.
 */
export function mathEqual({ field }: ReferenceOptions = {}): Verifier<JudgeVerdict> {
  const check = (candidate: string, reference: unknown) => {
    const gold = textOf(reference);
    const boxed = gold.includes("\\boxed") ? extractAnswer(gold) : gold;
    return compareMath(extractAnswer(candidate), boxed);
  };
  return verifierOf("MathEqual", check, field === undefined ? {} : { field });
}

function compareMath(got: string, want: string): readonly [boolean | null, string] {
  if (got === "") return [false, "no answer in the reply"];
  if (withoutSpaces(got) === withoutSpaces(want)) return [true, "the same text"];
  const wanted = want.length > MAX_CHARS ? null : parseMath(want);
  if (wanted === null) return [null, "cannot read the reference"];
  const given = got.length > MAX_CHARS ? null : parseMath(got);
  if (given === null) return [null, "cannot read the answer"];
  const verdict = sameMath(given, wanted);
  if (verdict === null) return [null, "cannot tell the two apart, or together"];
  return verdict ? [true, ""] : [false, `got ${got}, want ${want}`];
}

function withoutSpaces(text: string): string {
  return text.replace(/\\[,;:! ]|[\s$]/g, "");
}
