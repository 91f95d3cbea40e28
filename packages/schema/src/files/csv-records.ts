import { pipeline, Readable } from "node:stream";
import { parse } from "fast-csv";
import { binaryKind } from "../json/binary-kind.ts";
import { excerpt, named } from "../json/container.ts";
import { invalidByte } from "../json/invalid-byte.ts";
import { type JsonNotes, parseJsonText } from "../json/json-text.ts";
import { MAX_LINE_BYTES } from "../json/line-splitter.ts";
import type { BadRecord, SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { isJsonColumn, MARKER_COLUMN } from "./table-columns.ts";

/** One line of CSV under the names of its header. */
export interface CsvRecord {
  value: SourceObject;
  /** 1-based line of the file on which it begins. */
  line: number;
  delimiter: string;
}

export interface CsvSource {
  /** For errors. */
  path: string;
  /** null to find it in the header. */
  delimiter: string | null;
  invalidUtf8: "refuse" | "replace";
  /** Counted into, for the cells that hold JSON. */
  notes: JsonNotes;
  /** Told of every line that has not as many cells as the header. */
  refuse: (bad: BadRecord) => void;
}

/** Between the cells of a file that does not say: the most frequent of these in the header, the first in a tie. */
const DELIMITERS = [",", ";", "\t", "|"];

/** Characters that fast-csv is given at a time, where a row is no longer. */
const FED_CHARS = 2 ** 16;

const NUMBERS: ReadonlySet<string> = new Set([
  "reward",
  "gold_reward",
  "rollout_index",
  "label",
  "n_tokens",
  "logprob",
  "ts",
  "seed",
]);

/** Verdicts, which tables also write as True and False. */
const VERDICTS: ReadonlySet<string> = new Set(["reward", "gold_reward", "label"]);

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The records of a CSV file (RFC 4180), one at a time. An empty cell is an absent key. Cells are text, so that ids
 * keep their zeros, except in the columns whose meaning is known: verdicts and counts are numbers, structured keys
 * are JSON, and `markers.<name>` columns are the markers.
 *
 * @throws SchemaError `bad_file` for a header that is missing, doubled or cut by another character; `bad_line` for a
 * stray quote, behind which no line can be told from the next
 */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>, source: CsvSource): AsyncGenerator<CsvRecord> {
  const { path } = source;
  const texts = decoded(chunks, source);
  const first = await texts.next();
  const head: string = first.done ? "" : first.value;
  if (head.trim() === "") {
    throw new SchemaError("bad_file", `${named(path)} is empty.`, "Check the run that should have written it.", {
      place: { file: path },
    });
  }
  const delimiter = source.delimiter ?? delimiterOf(head);
  const place = { lines: 0, fed: 0, path };
  const parser = parse<string[], string[]>({ headers: false, delimiter, ignoreEmpty: false });
  pipeline(Readable.from(pieces(head, texts, place)), parser, () => {});
  let header: string[] | null = null;
  let nRows = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const line = place.lines + 1;
      place.lines += 1 + breaksIn(cells);
      if (cells.every((cell) => cell === "") && cells.length <= 1) continue;
      if (header === null) {
        header = checkedHeader(cells, delimiter, path, line);
        continue;
      }
      nRows++;
      if (cells.length === header.length) yield { value: recordOf(header, cells, source.notes), line, delimiter };
      else source.refuse(ragged(cells, header, path, line));
    }
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    throw strayQuote(error as Error, path, place.fed);
  }
  if (nRows === 0) {
    throw new SchemaError(
      "bad_file",
      `${named(path)} has a header and no rows.`,
      "Check what should have written it.",
      {
        place: { file: path },
      },
    );
  }
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, { path, invalidUtf8 }: CsvSource): AsyncGenerator<string> {
  // Drops a byte-order mark, which would otherwise become part of the first column's name.
  const decoder = new TextDecoder("utf-8", { fatal: invalidUtf8 === "refuse" });
  let bytes = 0;
  let now: Uint8Array = new Uint8Array();
  try {
    for await (const chunk of chunks) {
      now = chunk;
      const kind = bytes === 0 ? binaryKind(chunk) : null;
      if (kind !== null) {
        throw new SchemaError("bad_file", `${named(path)} is ${kind.name}, not rows.`, kind.fix, {
          place: { file: path },
        });
      }
      const text = decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      now = new Uint8Array();
      if (text !== "") yield text;
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SchemaError("bad_file", `${named(path)} is not UTF-8 at byte ${bytes + invalidByte(now)}.`, UTF8_FIX, {
      place: { file: path },
      cause: error,
    });
  }
}

/**
 * Text as the parser takes it: up to where a row ends. Given half a row it would begin that row anew with every piece,
 * which takes hours for a document in one line that is called a table.
 *
 * @throws SchemaError `bad_line` for a row of more than 64 MiB
 */
async function* pieces(
  head: string,
  rest: AsyncIterable<string>,
  place: { fed: number; path: string },
): AsyncGenerator<string> {
  let held: string[] = [];
  let heldChars = 0;
  let isQuoted = false;
  const fed = (text: string) => {
    place.fed += text.split("\n").length - 1;
    return text;
  };
  for await (const text of slices(head, rest)) {
    const rows = rowsIn(text, isQuoted);
    isQuoted = rows.isQuoted;
    if (rows.end > 0) {
      yield fed(held.join("") + text.slice(0, rows.end));
      held = [];
      heldChars = 0;
    }
    held.push(text.slice(rows.end));
    heldChars += text.length - rows.end;
    if (heldChars > MAX_LINE_BYTES) throw endlessRow(place, isQuoted);
  }
  yield fed(held.join(""));
}

async function* slices(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield* cut(head);
  for await (const text of rest) yield* cut(text);
}

function* cut(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += FED_CHARS) yield text.slice(at, at + FED_CHARS);
}

/** Behind the last line end that no quote holds open; 0 when there is none. A doubled quote opens what it closed. */
function rowsIn(text: string, openAtStart: boolean): { end: number; isQuoted: boolean } {
  let isQuoted = openAtStart;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isQuoted = !isQuoted;
    // A \r at the edge may be the first half of a line end.
    else if (!isQuoted && (unit === LINE_FEED || (unit === RETURN && at + 1 < text.length))) end = at + 1;
  }
  return { end, isQuoted };
}

function endlessRow({ fed, path }: { fed: number; path: string }, isQuoted: boolean): SchemaError {
  const line = fed + 1;
  return new SchemaError(
    "bad_line",
    `${named(path)}, line ${line} begins a row of more than 64 MiB${isQuoted ? ", in a quote that is not closed" : ""}.`,
    `${isQuoted ? "Close the quote, which is written twice inside a quoted cell. " : ""}If the file is JSON, name it .json.`,
    { place: { file: path, line } },
  );
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** The character that cuts the header into most columns, quoted ones left alone. */
function delimiterOf(head: string): string {
  const header = (head.trimStart().split(/\r?\n|\r/, 1)[0] ?? "").replaceAll(/"(?:[^"]|"")*"/g, "");
  let best = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const n = header.split(delimiter).length - 1;
    if (n > most) {
      best = delimiter;
      most = n;
    }
  }
  return best;
}

function checkedHeader(cells: readonly string[], delimiter: string, path: string, line: number): string[] {
  const options = { place: { file: path, line } };
  const seen = new Set<string>();
  for (const [index, name] of cells.entries()) {
    if (name.trim() === "") {
      throw new SchemaError(
        "bad_file",
        `Column ${index + 1} of ${named(path)} has no name.`,
        "Name it, or remove it.",
        options,
      );
    }
    if (seen.has(name)) {
      throw new SchemaError(
        "bad_file",
        `${named(path)} has two columns called ${excerpt(name)}.`,
        "Rename one of them.",
        options,
      );
    }
    seen.add(name);
  }
  const other = DELIMITERS.find((one) => one !== delimiter && cells.length === 1 && cells[0]!.includes(one));
  if (other !== undefined) {
    throw new SchemaError(
      "bad_file",
      `The header of ${named(path)} is one column and looks cut by ${excerpt(other)}.`,
      `Pass delimiter: ${excerpt(other)} (--delimiter).`,
      options,
    );
  }
  return [...cells];
}

function ragged(cells: readonly string[], header: readonly string[], file: string, line: number): BadRecord {
  const n = `${cells.length} ${cells.length === 1 ? "cell" : "cells"}`;
  return {
    ...{ file, line, column: null, code: "bad_line" },
    what: `line ${line} has ${n} and the header has ${header.length}: ${excerpt(cells.join(" · "))}`,
    fix: "Quote cells that hold the delimiter or a line break.",
  };
}

const UTF8_FIX = 'Save it as UTF-8, or read it with invalidUtf8: "replace".';

/** The parser names no line; it shows what is left of the text, and every break in that has not been passed. */
function strayQuote(error: Error, path: string, fed: number): SchemaError {
  const left = /at '([\s\S]*)'$/.exec(error.message)?.[1] ?? "";
  // Both characters of a Windows line end are shown as breaks.
  const breaks = left.replaceAll("\\n'\\n'", "\\n'").split("\\n'").length - 1;
  const line = Math.max(1, fed - breaks + 1);
  const seen = excerpt(left.split("\\n'", 1)[0] ?? "");
  return new SchemaError(
    "bad_line",
    `${named(path)}, line ${line} has a quote that is not closed, or text behind a closed one: ${seen}.`,
    'Write a quote inside a quoted cell twice (""), or pass delimiter if the cells are cut by another character.',
    { place: { file: path, line }, cause: error },
  );
}

function breaksIn(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf("\n"); at >= 0; at = cell.indexOf("\n", at + 1)) breaks++;
  }
  return breaks;
}

function recordOf(header: readonly string[], cells: readonly string[], notes: JsonNotes): SourceObject {
  const record: SourceObject = {};
  const markers: SourceObject = {};
  for (const [index, name] of header.entries()) {
    const cell = cells[index]!;
    if (cell === "") continue;
    if (name.startsWith(MARKER_COLUMN)) set(markers, name.slice(MARKER_COLUMN.length), numberOr(cell));
    else set(record, name, valueOfCell(name, cell, notes));
  }
  if (Object.keys(markers).length > 0) {
    record.markers = typeof record.markers === "object" ? { ...record.markers, ...markers } : markers;
  }
  return record;
}

function valueOfCell(name: string, cell: string, notes: JsonNotes): unknown {
  if (VERDICTS.has(name) && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === "true";
  if (NUMBERS.has(name)) return numberOr(cell);
  return isJsonColumn(name) && /^\s*[{[]/.test(cell) ? jsonOr(cell, notes) : cell;
}

/** What is no number, or one that loses digits, stays text, and is refused at the door where a number has to stand. */
function numberOr(cell: string): unknown {
  if (!NUMBER.test(cell.trim())) return cell;
  const number = Number(cell);
  const isExact = Number.isSafeInteger(number) || /[.eE]/.test(cell) || BigInt(number) === BigInt(cell);
  return Number.isFinite(number) && isExact ? number : cell;
}

function jsonOr(cell: string, notes: JsonNotes): unknown {
  try {
    return parseJsonText(cell, { notes });
  } catch {
    return cell; // Refused at the door, with the line, where a list or an object has to stand.
  }
}

function set(record: SourceObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    record[key] = value;
  }
}
