import { isObject, pyJson } from "@while/schema";
import { isWholeToken } from "./token-bounds.ts";

/** What stands in a reason where the answer key stood. */
export const REDACTED = "<reference>";

/** Characters of a long key that give it away, wherever it is cut. */
const MIN_PREFIX = 16;

export interface RedactOptions {
  /** Shortest line of a key of several lines that is looked for by itself. */
  minLineChars?: number;
}

/**
 * A reason without the answer key: reasons travel into training exports, and there a model would learn the key.
 *
 * Every spelling of the key is taken out where it stands as a whole token: its text, its escaped form, a number with
 * and without its decimals and its commas, each longer line, and the same of everything inside a list or an object.
 * So is any beginning of it of 16 characters or more. One pass over the reason for each spelling, however long it is.
 */
export function redactReference(reason: string, gold: unknown, { minLineChars = 8 }: RedactOptions = {}): string {
  const spellings = new Set<string>();
  addSpellings(spellings, gold, minLineChars);
  const isGold = new Uint8Array(reason.length);
  for (const spelling of spellings) markSpelling(isGold, reason, spelling);

  let redacted = "";
  for (let i = 0; i < reason.length; i++) {
    if (isGold[i] === 0) redacted += reason[i];
    else if (i === 0 || isGold[i - 1] === 0) redacted += REDACTED;
  }
  return redacted;
}

function addSpellings(spellings: Set<string>, gold: unknown, minLineChars: number): void {
  if (typeof gold === "number" || typeof gold === "boolean") {
    addText(spellings, String(gold));
  } else if (typeof gold === "string") {
    addText(spellings, gold);
    const lines = gold.split(/\r?\n/);
    if (lines.length === 1) return;
    for (const line of lines) if (line.trim().length >= minLineChars) addText(spellings, line);
  } else if (Array.isArray(gold) || isObject(gold)) {
    for (const item of Object.values(gold)) addSpellings(spellings, item, minLineChars);
    addText(spellings, JSON.stringify(gold));
    addText(spellings, pyJson(gold, { ascii: false }));
  }
}

function addText(spellings: Set<string>, text: string): void {
  const trimmed = text.trim();
  if (trimmed === "") return;
  for (const form of [trimmed, ...numberForms(trimmed)]) {
    spellings.add(form);
    spellings.add(JSON.stringify(form).slice(1, -1));
  }
}

function numberForms(text: string): string[] {
  if (!/^[-+]?[\d,]*\.?\d+$/.test(text)) return [];
  const value = Number(text.replaceAll(",", ""));
  if (!Number.isFinite(value)) return [];
  return Number.isInteger(value) ? [String(value), `${value}.0`, value.toLocaleString("en-US")] : [String(value)];
}

/** Knuth, Morris and Pratt 1977: at each place, how much of the beginning of the spelling ends there. */
function markSpelling(isGold: Uint8Array, text: string, spelling: string): void {
  if (text.length < Math.min(spelling.length, MIN_PREFIX)) return;
  const borders = bordersOf(spelling.slice(0, text.length + 1));
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== spelling[matched]) matched = borders[matched - 1]!;
    if (text[i] === spelling[matched]) matched++;
    const start = i + 1 - matched;
    // Past 16 characters all but the last are marked already.
    if (matched > MIN_PREFIX) isGold[i] = 1;
    else if (matched === MIN_PREFIX) isGold.fill(1, start, i + 1);
    else if (matched === spelling.length && isWholeToken(text, start, i + 1)) isGold.fill(1, start, i + 1);
    if (matched === spelling.length) matched = borders[matched - 1]!;
  }
}

/** For each beginning of a text, the length of its longest proper beginning that it also ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  for (let i = 1, length = 0; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = borders[length - 1]!;
    if (text[i] === text[length]) length++;
    borders[i] = length;
  }
  return borders;
}
