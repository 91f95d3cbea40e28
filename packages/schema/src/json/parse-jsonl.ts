import { checkOptions } from "../options/check-options.ts";
import { SchemaError } from "../schema-error.ts";
import { bytesOf, chunksOf } from "./bytes-of.ts";
import { firstInk, named } from "./container.ts";
import type { UnsafeIntegers } from "./json-text.ts";
import { type BadLine, type BadRecord, RecordReader, type SourceObject } from "./record-reader.ts";

export interface ParseJsonlOptions {
  /** Name for errors. */
  file?: string;
  /** `error` names the first five bad lines and their count; `skip` leaves them out and counts them. */
  onBadRow?: "error" | "skip";
  /** Forgive a last line that is not JSON, which a crash leaves behind when rows are appended. */
  tolerateTail?: boolean;
  /** Integers too large for a double: exact text of ids, of all, or of none. */
  unsafeIntegers?: UnsafeIntegers;
  invalidUtf8?: "refuse" | "replace";
}

/** Objects as they stand in the lines, and everything that was not taken as it stood. */
export interface ParsedJsonl {
  rows: SourceObject[];
  /** Bare NaN and Infinity, read as null. */
  nonFinite: number;
  /** Integers that a double would have changed: exact text under an id, rounded elsewhere. */
  unsafeIntegers: number;
  /** Halves of surrogate pairs standing alone; they are kept. */
  loneSurrogates: number;
  droppedTail: boolean;
  /** The first five lines that were refused. */
  badLines: BadLine[];
  nBadLines: number;
}

/**
 * The objects of JSONL text, whatever they mean: label files, configurations, rows before any format is guessed. A
 * JSON array, or an object with a list under `rows`, `data` or `trajectories`, is accepted too. Nothing is validated;
 * for rows there is `readRows`.
 *
 * @throws SchemaError `bad_line` with file, line and column; `bad_file`, `format_unknown`, `bad_option`
 */
export function parseJsonl(source: string | Uint8Array, options: ParseJsonlOptions = {}): ParsedJsonl {
  const reader = new JsonlReader(options);
  for (const chunk of chunksOf(bytesOf(source))) reader.push(chunk);
  reader.end();
  return reader.parsed();
}

const OPTIONS = ["file", "onBadRow", "tolerateTail", "unsafeIntegers", "invalidUtf8"];

/** `parseJsonl` for bytes that arrive in chunks. */
export class JsonlReader {
  readonly #tolerateTail: boolean;
  readonly #records: RecordReader;
  readonly #parsed: ParsedJsonl;
  readonly #skips: boolean;
  #firstBad: BadRecord | null = null;
  #isBlank = true;

  constructor(options: ParseJsonlOptions) {
    checkOptions(options, OPTIONS, (what, fix) => new SchemaError("bad_option", what, fix));
    const { file = null, onBadRow = "error", tolerateTail = false } = options;
    const { unsafeIntegers = "ids", invalidUtf8 = "refuse" } = options;
    this.#skips = onBadRow === "skip";
    this.#parsed = {
      rows: [],
      nonFinite: 0,
      unsafeIntegers: 0,
      loneSurrogates: 0,
      droppedTail: false,
      badLines: [],
      nBadLines: 0,
    };
    const refuse = (bad: BadRecord) => this.#refuse(bad);
    this.#tolerateTail = tolerateTail;
    this.#records = new RecordReader({ file, unsafeIntegers, invalidUtf8, refuse });
  }

  push(chunk: Uint8Array): void {
    this.#isBlank &&= firstInk(chunk) === chunk.length;
    for (const { value } of this.#records.push(chunk)) this.#parsed.rows.push(value);
  }

  end(): void {
    // No objects are an empty file, which only a file of rows may not be.
    if (this.#isBlank) return;
    for (const { value } of this.#records.end()) this.#parsed.rows.push(value);
    this.#records.closeTail(this.#tolerateTail);
    const { notes, droppedTail } = this.#records;
    const { nonFinite, unsafeIntegers, loneSurrogates } = notes;
    Object.assign(this.#parsed, { nonFinite, unsafeIntegers, loneSurrogates, droppedTail });
  }

  /** @throws SchemaError `bad_line`, unless bad lines were to be skipped */
  parsed(): ParsedJsonl {
    if (this.#firstBad !== null && !this.#skips) throw badLinesError(this.#firstBad, this.#parsed);
    return this.#parsed;
  }

  #refuse(bad: BadRecord): void {
    const { code: _, fix: __, ...line } = bad;
    this.#firstBad ??= bad;
    this.#parsed.nBadLines++;
    if (this.#parsed.badLines.length < NAMED_BAD_LINES) this.#parsed.badLines.push(line);
  }
}

/** Bad lines that are named; the others are counted. */
export const NAMED_BAD_LINES = 5;

/** The one sentence about all bad lines of one or more files, at the place of the first. */
export function badLinesError(
  first: BadRecord,
  found: { badLines: BadLine[]; nBadLines: number },
  nFiles = 1,
): SchemaError {
  const { badLines: shown, nBadLines: n } = found;
  const inFile = (bad: BadLine) => (nFiles > 1 && bad.file !== null ? `${bad.file} ${bad.what}` : bad.what);
  const more = n > shown.length ? `, and ${n - shown.length} more` : "";
  const subject = nFiles > 1 ? "The files have" : `${named(first.file)} has`;
  const what =
    n === 1
      ? `${named(first.file)}, ${first.what}.`
      : `${subject} ${n} bad rows: ${shown.map(inFile).join("; ")}${more}.`;
  const { file, line, column } = first;
  return new SchemaError(
    first.code,
    what,
    `${first.fix} onBadRow: "skip" (--skip-bad) leaves bad rows out and counts them.`,
    { place: { ...(file === null ? {} : { file }), line, ...(column === null ? {} : { column }) } },
  );
}
