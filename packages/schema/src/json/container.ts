import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { cutCodePoints } from "../text/code-points.ts";
import { binaryKind } from "./binary-kind.ts";
import { opensItems } from "./document-items.ts";
import { DocumentSplitter, LIST_KEYS } from "./document-splitter.ts";
import { parseJsonText } from "./json-text.ts";
import { LineSplitter, MAX_LINE_BYTES } from "./line-splitter.ts";

/** How the records lie in the file: one a line, as an array, under a key of one object, as cells, or as files. */
export type Container = "jsonl" | "json-array" | "json-object" | "csv" | "parquet" | "zip";

/** Enough to know a file that is no JSON; less is waited for. */
const SNIFFED_BYTES = 8192;

/** A line that has not ended by now may be a document in one line. */
const LONG_LINE_BYTES = 2 ** 20;

const LIST_FIRST = new RegExp(`^\\s*\\{\\s*"(?:${LIST_KEYS.join("|")})"\\s*:\\s*\\[`);

/**
 * Whether a file is JSONL or one JSON document, from its beginning; null when more of it is needed.
 *
 * @param head The first bytes, without a byte-order mark
 * @param ended Whether there are no more
 * @throws SchemaError `bad_file` for empty and binary files, `format_unknown` for text that is not JSON
 */
export function splitterFor(
  head: Uint8Array,
  ended: boolean,
  file: string | null,
): LineSplitter | DocumentSplitter | null {
  const ink = firstInk(head);
  if (ink === head.length) {
    if (!ended) return null;
    throw new SchemaError(
      "bad_file",
      `${named(file)} is empty.`,
      "Check the run that should have written it.",
      at(file),
    );
  }
  if (head[ink] === OPEN_BRACKET) return new DocumentSplitter();
  if (head[ink] !== OPEN_BRACE) {
    if (!ended && head.length < SNIFFED_BYTES) return null;
    return notJson(head, ink, file);
  }

  const lineEnd = head.indexOf(LINE_BREAK, ink);
  if (lineEnd < 0 && !ended) {
    const unfinished = head.length - ink;
    if (unfinished > LONG_LINE_BYTES && LIST_FIRST.test(loose(head.subarray(ink, ink + 256)))) {
      return new DocumentSplitter();
    }
    if (unfinished <= MAX_LINE_BYTES) return null;
    return opensListLater(head) ? new DocumentSplitter() : new LineSplitter();
  }
  const second = lineEnd < 0 ? "" : nextLine(head, lineEnd + 1, ended);
  if (second === null) return null;
  const firstEnd = lineEnd < 0 ? head.length : lineEnd;
  // One long line alone is not parsed to see what it is: its rollouts are, one at a time.
  if (second === "" && firstEnd - ink > LONG_LINE_BYTES && opensItems([head])) return new DocumentSplitter();
  const first = loose(head.subarray(ink, firstEnd));
  const value = parsed(first);
  if (second === "") {
    // One line alone: a row, or a document that was written without line breaks.
    return isObject(value) && LIST_KEYS.some((key) => Array.isArray(value[key]))
      ? new DocumentSplitter()
      : value === undefined && opensMore(first)
        ? new DocumentSplitter()
        : new LineSplitter();
  }
  if (value !== undefined || !opensMore(first)) return new LineSplitter();
  // `{"a": 1,` is the beginning of a document, or a line that broke off; then the next line stands on its own.
  return /,\s*$/.test(first) && isObject(parsed(second)) ? new LineSplitter() : new DocumentSplitter();
}

/** Whether a document that began without its list comes to one. */
function opensListLater(head: Uint8Array): boolean {
  const probe = new DocumentSplitter();
  probe.push(head);
  return probe.hasList || opensItems([head]);
}

/** Index of the first byte that is no blank; the length when there is none. */
export function firstInk(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at]! <= 0x20 && isBlank(bytes[at]!)) at++;
  return at;
}

/** The first 80 characters, on one line and in quotes, for a sentence. */
export function excerpt(text: string): string {
  return JSON.stringify(cutCodePoints(text.trim(), 80));
}

/** How a sentence calls a file; `-` is standard input. */
export function named(file: string | null): string {
  if (file === null) return "The text";
  return file === "-" ? "Standard input" : file;
}

function notJson(head: Uint8Array, ink: number, file: string | null): LineSplitter {
  const kind = binaryKind(head);
  if (kind !== null) {
    throw new SchemaError("bad_file", `${named(file)} is ${kind.name}, not rows.`, kind.fix, at(file));
  }
  const lineEnd = head.indexOf(LINE_BREAK, ink);
  // Something was printed in front of the rows: the one line is bad, not the file.
  if (lineEnd >= 0 && head[lineEnd + 1] === OPEN_BRACE) return new LineSplitter();
  const line = 1 + head.subarray(0, ink).filter((byte) => byte === LINE_BREAK).length;
  const first = loose(head.subarray(ink, lineEnd < 0 ? head.length : lineEnd));
  throw new SchemaError(
    "format_unknown",
    `${named(file)} is text, not rows: line ${line} begins ${excerpt(first)}.`,
    "Give JSONL, one JSON object a line, or a JSON document with a list of rows. CSV is read from files.",
    at(file, line),
  );
}

function at(file: string | null, line?: number): { place: { file?: string; line?: number } } {
  return { place: { ...(file === null ? {} : { file }), ...(line === undefined ? {} : { line }) } };
}

/** The next line with something on it; "" when there is none, null when it is not there yet. */
function nextLine(head: Uint8Array, from: number, ended: boolean): string | null {
  const start = from + firstInk(head.subarray(from));
  const end = head.indexOf(LINE_BREAK, start);
  if (start === head.length) return ended ? "" : null;
  if (end < 0 && !ended && head.length - start < LONG_LINE_BYTES) return null;
  return loose(head.subarray(start, end < 0 ? head.length : end));
}

/** A line after which a document goes on. */
function opensMore(line: string): boolean {
  return /[{[,:]\s*$/.test(line);
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined; // What is wrong with the line is said when it is read as one.
  }
}

/** Text to look at, not to keep: what is not UTF-8 is replaced. */
function loose(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_BREAK || byte === 0x0d || byte === 0x09;
}

const LINE_BREAK = 0x0a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
