import { writeToString } from "fast-csv";
import { emptyNotes } from "../json/json-text.ts";
import { badLinesError, NAMED_BAD_LINES } from "../json/parse-jsonl.ts";
import type { BadRecord, SourceObject } from "../json/record-reader.ts";
import { checkOptions } from "../options/check-options.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { byteChunks } from "./byte-chunks.ts";
import { csvRecords } from "./csv-records.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

export interface ReadCsvOptions {
  /** The character between cells; found from the header by default. */
  delimiter?: string;
}

/** The lines of a CSV file under the names of its header. */
export interface ReadCsv {
  rows: SourceObject[];
  /** The character that was taken to lie between the cells. */
  delimiter: string;
}

/**
 * The records of a CSV file as they stand, whatever they mean; for rows there is `readRowFiles`. An empty cell is an
 * absent key, and cells are text except in columns whose meaning is known: `0012` keeps its zeros.
 *
 * @throws SchemaError `bad_file`, `bad_line`, `not_found`, `bad_option`
 */
export async function readCsv(path: string, options: ReadCsvOptions = {}): Promise<ReadCsv> {
  checkOptions(options, ["delimiter"], badOption);
  const { delimiter = null } = options;
  const rows: SourceObject[] = [];
  let seen = delimiter ?? ",";
  const bad: BadRecord[] = [];
  const refuse = (record: BadRecord) => bad.push(record);
  const source = { path, delimiter, invalidUtf8: "refuse", notes: emptyNotes(), refuse } as const;
  for await (const record of csvRecords(byteChunks(path), source)) {
    rows.push(record.value);
    seen = record.delimiter;
  }
  const [first] = bad;
  if (first !== undefined) {
    throw badLinesError(first, { badLines: bad.slice(0, NAMED_BAD_LINES), nBadLines: bad.length });
  }
  return { rows, delimiter: seen };
}

export interface WriteCsvOptions {
  delimiter?: string;
  /**
   * Put `'` in front of texts that a spreadsheet would run as a formula (`=`, `+`, `-`, `@`, tab, carriage return).
   * The file is then for people: read back, those texts begin with `'`.
   */
  spreadsheetSafe?: boolean;
}

const MARKERS = "markers";

/**
 * Writes rows as CSV with one column for every key that some row has, in the order in which they first appear.
 * Lists and objects are written as JSON, `markers` as one column for each.
 *
 * @throws SchemaError `bad_file`, `bad_option`
 */
export async function writeCsv(path: string, rows: readonly Row[], options: WriteCsvOptions = {}): Promise<void> {
  checkOptions(options, ["delimiter", "spreadsheetSafe"], badOption);
  const { delimiter = ",", spreadsheetSafe = false } = options;
  const columns = columnsOf(rows);
  const cell = (row: Row, column: string) => cellOf(row, column, spreadsheetSafe);
  await writeFileAtomically(path, async (file) => {
    const format = { headers: false, delimiter, rowDelimiter: "\n", includeEndRowDelimiter: true } as const;
    await file.write(await writeToString([columns], format));
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const cells = rows.slice(at, at + BATCH_ROWS).map((row) => columns.map((column) => cell(row, column)));
      // Unquoted, the blanks at the edge of a cell are lost on many readers, ours among them.
      const quoteColumns = columns.map((_, i) => cells.some((line) => line[i] !== line[i]!.trim()));
      await file.write(await writeToString(cells, { ...format, quoteColumns }));
    }
  });
}

/** Rows made into text at a time. */
const BATCH_ROWS = 1000;

function columnsOf(rows: readonly Row[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      if (value === undefined || value === null) continue;
      if (key === MARKERS && typeof value === "object") {
        for (const name of Object.keys(value)) columns.add(`${MARKERS}.${name}`);
      } else {
        columns.add(key);
      }
    }
  }
  return [...columns];
}

function cellOf(row: Row, column: string, isSafe: boolean): string {
  const marker = column.startsWith(`${MARKERS}.`) ? column.slice(MARKERS.length + 1) : null;
  const markers = row.markers ?? {};
  const value =
    marker !== null && Object.hasOwn(markers, marker)
      ? markers[marker]
      : Object.hasOwn(row, column)
        ? row[column]
        : null;
  if (value === undefined || value === null) return "";
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value !== "string") return String(value);
  return isSafe && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

function badOption(what: string, fix: string): SchemaError {
  return new SchemaError("bad_option", what, fix);
}
