import { isObject, type Row } from "@while/schema";
import { JsonNumber } from "./json-number.ts";
import { jsonText, newTextCounts } from "./json-text.ts";
import { needsCare, parseJsonTree } from "./parse-json-tree.ts";

type Part = Record<string, unknown>;

/** Keys under which a record keeps the parts of a conversation. */
const LISTS = ["steps", "messages", "prompt", "completion", "tool_trace", "tools"] as const;

/** Where a number that an agent saw or wrote begins: the keys of arguments, results and schemas, outside strings. */
const VALUES = /(?<!\\)"(?:arguments|result|input|output|parameters|content)"\s*:\s*(?=[[{\d-])/g;

/**
 * Gives rows from a file back the digits that readers cannot keep, inside tool arguments, results and schemas. Readers
 * hand out each record with its text; a row made of the record still holds its steps and messages, and is known by
 * them, however it was otherwise changed.
 */
export class ExactDigits {
  readonly #exact = new WeakMap<object, Part>();

  /** A record and the text it stood in. */
  remember(record: Part, text: string): void {
    if (!losesDigits(text)) return;
    const tree = parseJsonTree(text) as Part;
    for (const key of LISTS) {
      const parts = record[key];
      const exact = tree[key];
      if (!Array.isArray(parts) || !Array.isArray(exact)) continue;
      for (const [index, part] of parts.entries()) {
        if (isObject(part) && isObject(exact[index])) this.#exact.set(part, exactPart(part, exact[index]));
      }
    }
  }

  /** The row with all digits; the row given where none were lost. */
  restored(row: Row): Row {
    let restored = row;
    for (const key of LISTS) {
      const parts = row[key];
      if (!Array.isArray(parts) || !parts.some((part) => isObject(part) && this.#exact.has(part))) continue;
      if (restored === row) restored = { ...row };
      (restored as Part)[key] = parts.map((part) => (isObject(part) ? (this.#exact.get(part) ?? part) : part));
    }
    return restored;
  }
}

/** Whether any argument, result or schema of the record has a number that a double would respell. */
function losesDigits(text: string): boolean {
  for (const match of text.matchAll(VALUES)) {
    const start = match.index + match[0].length;
    if (needsCare(text.slice(start, endOfValue(text, start)))) return true;
  }
  return false;
}

/** Index behind the object, list or number that starts here. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        depth++;
        break;
      case "}":
      case "]":
        if (--depth <= 0) return at + 1;
        break;
      case ",":
        if (depth === 0) return at;
        break;
      case '"':
        at = endOfString(text, at);
    }
  }
  return text.length;
}

/** Index of the closing quote. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** The part as its reader made it, with the values under these keys as the text had them. */
function exactPart(part: Part, exact: Part): Part {
  const whole = { ...part };
  for (const key of ["arguments", "input", "tool_calls", "function_call", "function", "parameters"]) {
    if (typeof exact[key] === "object" && exact[key] !== null) whole[key] = exact[key];
  }
  for (const key of ["result", "output"]) if (holdsDigits(exact[key])) whole[key] = textOfResult(exact[key]);
  if (Array.isArray(exact.content)) whole.content = exact.content;
  else if (holdsDigits(exact.content)) whole.content = textOfResult(exact.content);
  return whole;
}

/** What the agent was shown: data becomes text anyway, and as text it keeps its digits. */
function textOfResult(result: unknown): string {
  return jsonText(result, ", ", newTextCounts());
}

function holdsDigits(value: unknown): boolean {
  if (value instanceof JsonNumber) return true;
  if (Array.isArray(value)) return value.some(holdsDigits);
  return isObject(value) && Object.values(value).some(holdsDigits);
}
