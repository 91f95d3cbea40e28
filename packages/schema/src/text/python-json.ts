import { compareCodePoints } from "./code-points.ts";

export interface PyJsonOptions {
  /** Escape everything outside printable ASCII as `\uXXXX`, as Python does when it writes files. */
  ascii?: boolean;
  /** Object keys in code-point order instead of insertion order. */
  sortKeys?: boolean;
}

/** A number that is a float in Python, where 1.0 and 1 are different text. `pyJson` writes it with its decimals. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * JSON text as Python's `json.dumps` spells it: `", "` and `": "` between things, floats in Python's notation
 * (`1e-05`). Content hashes and the text of tool results are made of it, so both sides must spell alike.
 *
 * What JSON cannot hold is written as Python writes it (`NaN`, `Infinity`) or left out as `JSON.stringify` leaves
 * it out (undefined and functions). Whole numbers have no decimals, as JavaScript cannot tell 1.0 from 1, unless they are a `PyFloat`. Keys that
 * look like array indexes come first, because JavaScript objects keep them so.
 */
export function pyJson(value: unknown, { ascii = true, sortKeys = false }: PyJsonOptions = {}): string {
  return write(value, ascii, sortKeys) ?? "null";
}

/** undefined for what `JSON.stringify` leaves out. */
function write(value: unknown, ascii: boolean, sortKeys: boolean): string | undefined {
  switch (typeof value) {
    case "string":
      return quote(value, ascii);
    case "number":
      return numberText(value);
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
  if (value instanceof PyFloat) return floatText(value.value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) {
      if (i > 0) text += ", ";
      text += write(value[i], ascii, sortKeys) ?? "null";
    }
    return `${text}]`;
  }
  if ("toJSON" in value && typeof value.toJSON === "function") return write(value.toJSON(), ascii, sortKeys);
  const keys = Object.keys(value);
  if (sortKeys) keys.sort(compareCodePoints);
  let text = "";
  for (const key of keys) {
    const item = write((value as Record<string, unknown>)[key], ascii, sortKeys);
    if (item === undefined) continue;
    if (text !== "") text += ", ";
    text += `${quote(key, ascii)}: ${item}`;
  }
  return `{${text}}`;
}

function quote(text: string, ascii: boolean): string {
  const quoted = JSON.stringify(text);
  return ascii ? quoted.replace(/[^ -~]/g, escapeUnit) : quoted;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Python's `repr` of a float: an exponent below 1e-4, and of two digits at least. */
function numberText(x: number): string {
  if (Number.isInteger(x) || !Number.isFinite(x)) return Object.is(x, -0) ? "-0.0" : String(x);
  const text = Math.abs(x) < 1e-4 ? x.toExponential() : String(x);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** The same for a whole number too: `1.0`, and an exponent from 1e16. */
function floatText(x: number): string {
  if (!Number.isInteger(x) || Object.is(x, -0)) return numberText(x);
  return Math.abs(x) < 1e16 ? `${x}.0` : x.toExponential();
}
