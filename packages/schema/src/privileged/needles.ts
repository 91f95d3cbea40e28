import { isObject } from "../is-object.ts";
import { codePointLength } from "../text/code-points.ts";
import { normText } from "../text/norm-text.ts";

/** Shorter quotes are common words and stand in honest replies too. In code points. */
export const LEAK_MIN_QUOTE_CHARS = 12;

/** The parts of the privileged block that a reply could recite, in the order they are looked for. */
const RECITED = ["reference", "principle", "hidden_state"];

/** Fewest words of a quote in Latin letters alone: one long word is a word. One with a digit in it is a code. */
const MIN_WORDS = 3;

/** One text of a privileged block. */
export interface Needle {
  /** Path in the block, such as `hidden_state.answer`. */
  field: string;
  /** In normal form. */
  text: string;
}

/** The texts that are long enough to be a quote, and those that are answers of a word or a number. */
export interface Needles {
  quotes: Needle[];
  short: Needle[];
}

/** The texts of a privileged block that are long enough to be a quote, in normal form. */
export function privilegedTexts(block: unknown, minLen: number = LEAK_MIN_QUOTE_CHARS): string[] {
  return quotesOf(block, minLen).map(({ text }) => text);
}

/** The texts of `minLen` code points and more, by length alone. */
export function quotesOf(block: unknown, minLen: number): Needle[] {
  return valuesOf(block).flatMap(({ field, value }) => {
    const text = typeof value === "string" ? normText(value) : "";
    return codePointLength(text) >= minLen ? [{ field, text }] : [];
  });
}

/** Quotes of `minLen` code points and more than two plain words; the rest of the texts and the numbers are short. */
export function needlesOf(block: unknown, minLen: number): Needles {
  const needles: Needles = { quotes: [], short: [] };
  for (const { field, value } of valuesOf(block)) {
    const text = normText(typeof value === "string" ? value : String(value));
    const isLong = typeof value === "string" && codePointLength(text) >= minLen;
    if (isLong && (wordsOf(text).length >= MIN_WORDS || !/^[\p{Script=Latin}\s]*$/u.test(text))) {
      needles.quotes.push({ field, text });
    } else if (/[\p{L}\p{N}]/u.test(text)) needles.short.push({ field, text });
  }
  return needles;
}

/** Letters and digits that stand together, of a text in normal form. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function valuesOf(block: unknown): { field: string; value: string | number }[] {
  const values: { field: string; value: string | number }[] = [];
  if (!isObject(block)) return values;
  for (const field of RECITED) collect(block[field], field, values);
  return values;
}

function collect(value: unknown, field: string, into: { field: string; value: string | number }[]): void {
  if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) into.push({ field, value });
  else if (Array.isArray(value)) for (const item of value) collect(item, field, into);
  else if (isObject(value)) for (const key of Object.keys(value)) collect(value[key], `${field}.${key}`, into);
}
