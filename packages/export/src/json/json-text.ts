import { JsonNumber } from "./json-number.ts";
import { keysInOrder } from "./parse-json-tree.ts";

/** What had to be changed so that a value could be written as JSON. */
export interface TextCounts {
  /** NaN and infinities written as null. */
  nonfinite: number;
  /** Strings in which half a surrogate pair was escaped. */
  loneSurrogates: number;
}

export function newTextCounts(): TextCounts {
  return { nonfinite: 0, loneSurrogates: 0 };
}

/**
 * JSON text with the separators given, raw non-ASCII, keys in arrival order and numbers by their digits. Only what a
 * reader of lines stumbles over is escaped: U+2028, U+2029 and halves of surrogate pairs.
 *
 * NaN and infinities are written as null and counted; undefined and functions are left out as `JSON.stringify` does.
 *
 * @param comma Between two members, `", "` on lines
 */
export function jsonText(value: unknown, comma: string, counts: TextCounts): string {
  return write(value, comma, counts) ?? "null";
}

function write(value: unknown, comma: string, counts: TextCounts): string | undefined {
  switch (typeof value) {
    case "string":
      return quoted(value, counts);
    case "number":
      return numberText(value, counts);
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return value.toString();
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null) return "null";
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text += comma;
      text += write(value[i], comma, counts) ?? "null";
    }
    return `${text}]`;
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return write(value.toJSON(), comma, counts);
  let text = "";
  for (const key of keysInOrder(value)) {
    const member = write((value as Record<string, unknown>)[key], comma, counts);
    if (member === undefined) continue;
    if (text !== "") text += comma;
    text += `${keyText(key, counts)}: ${member}`;
  }
  return `{${text}}`;
}

/** A string as JSON. `JSON.stringify` escapes halves of surrogate pairs, which is valid UTF-8 and loses nothing. */
export function quoted(text: string, counts: TextCounts): string {
  if (!UNUSUAL.test(text)) return JSON.stringify(text);
  if (LONE.test(text)) counts.loneSurrogates++;
  return JSON.stringify(text).replace(LINE_SEPARATORS, escaped);
}

/** Keys repeat on every line, and looking one up is five times faster than escaping it. */
export function keyText(key: string, counts: TextCounts): string {
  let text = keyTexts.get(key);
  if (text !== undefined) return text;
  text = quoted(key, counts);
  if (keyTexts.size < MAX_KEY_TEXTS && !UNUSUAL.test(key)) keyTexts.set(key, text);
  return text;
}

const keyTexts = new Map<string, string>();
const MAX_KEY_TEXTS = 2000;

export function numberText(value: number, counts: TextCounts): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0.0" : String(value);
  counts.nonfinite++;
  return "null";
}

/** A float as text that says so: `1.0` and not `1`, or the first `0.5` breaks a column that began with `1`. */
export function floatText(value: number, counts: TextCounts): string {
  const text = numberText(value, counts);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** What most strings have none of: line separators, and surrogates whether in pairs or alone. */
const UNUSUAL = /[\u2028\u2029\ud800-\udfff]/;
const LONE = /\p{Surrogate}/u;
const LINE_SEPARATORS = /[\u2028\u2029]/g;

function escaped(separator: string): string {
  return separator === "\u2028" ? "\\u2028" : "\\u2029";
}
