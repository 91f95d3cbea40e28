import { SchemaError } from "../schema-error.ts";
import { MAX_JSON_DEPTH } from "./json-text.ts";

/** What rows held that JSON cannot hold as it is. */
export interface WriteNotes {
  /** NaN and infinities, written as null. */
  nonFinite: number;
  /** Halves of surrogate pairs, written as the escape that reads back as them. */
  loneSurrogates: number;
  /** Place of the first: `row 17`. */
  firstLoneSurrogate: string | null;
  /** Values without a JSON form (big integers, functions, symbols, Maps), written as text or as a plain object. */
  stringified: number;
}

export function emptyWriteNotes(): WriteNotes {
  return { nonFinite: 0, loneSurrogates: 0, firstLoneSurrogate: null, stringified: 0 };
}

/** Characters at which some readers of text break a line: content for JSON, so they are written as escapes. */
const BREAKS = /[\u0085\u2028\u2029]/g;

const ESCAPES = /\\(?:u[dD][89a-fA-F]..|.)/g;

/**
 * One row as one line of JSON, without the line break. Nothing is dropped: what JSON cannot hold becomes null (NaN)
 * or text (a big integer), and is counted.
 *
 * @param notes Counted into
 * @param number 1-based number of the row, for the notes and for errors
 * @throws SchemaError `bad_value` for a row deeper than 512 levels, or one that refers to itself
 */
export function rowLine(row: object, notes: WriteNotes = emptyWriteNotes(), number = 1): string {
  const value = isWritable(row, 0) ? row : writable(row, 0, notes, number);
  let line = JSON.stringify(value);
  if (line.includes("\\ud")) {
    // JSON.stringify spells halves as escapes, and whole pairs as they are.
    const found = line.match(ESCAPES)?.filter((escaped) => escaped.length === 6).length ?? 0;
    notes.loneSurrogates += found;
    if (found > 0) notes.firstLoneSurrogate ??= `row ${number}`;
  }
  if (line.includes("\u2028") || line.includes("\u2029") || line.includes("\u0085")) {
    line = line.replace(BREAKS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
  return line;
}

/** Whether `JSON.stringify` writes all of a value: nearly every row, so this look costs less than a replacer. */
function isWritable(value: unknown, depth: number): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  // An absent key stays absent.
  if (value === undefined) return true;
  if (typeof value !== "object" || depth >= MAX_JSON_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!isWritable(value[i], depth + 1)) return false;
    }
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    if (!isWritable((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function writable(value: unknown, depth: number, notes: WriteNotes, row: number): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    notes.nonFinite++;
    return null;
  }
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") {
    notes.stringified++;
    return String(value);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) {
    throw new SchemaError(
      "bad_value",
      `Row ${row} nests deeper than ${MAX_JSON_DEPTH} levels.`,
      "Flatten it, or break the reference from a value to itself.",
    );
  }
  if (Array.isArray(value)) return value.map((item) => writable(item, depth + 1, notes, row));
  if ("toJSON" in value && typeof value.toJSON === "function") return writable(value.toJSON(), depth + 1, notes, row);
  const plain = plainOf(value);
  if (plain !== value) notes.stringified++;
  if (Array.isArray(plain)) return plain.map((item) => writable(item, depth + 1, notes, row));
  if (typeof plain === "string") return plain;
  return Object.fromEntries(Object.entries(plain).map(([key, item]) => [key, writable(item, depth + 1, notes, row)]));
}

/** The nearest thing JSON has: an object for a Map, a list for a Set and a typed array, the text of an Error. */
function plainOf(value: object): object | string {
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, item]) => [String(key), item]));
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as ArrayLike<unknown>);
  return value instanceof Error ? String(value) : value;
}
