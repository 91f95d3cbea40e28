import { isObject } from "../is-object.ts";
import { named } from "../json/container.ts";
import { emptyNotes, type JsonNotes, parseJsonText, type UnsafeIntegers } from "../json/json-text.ts";
import type { SourceRecord } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { type CellNotes, cellValue, put } from "./parquet-cells.ts";
import { openParquet, parquetFault } from "./parquet-slices.ts";
import type { ByteSource } from "./random-access.ts";
import { isJsonColumn, MARKER_COLUMN } from "./table-columns.ts";

/** What `writeParquet` says in a file about its columns, so that they are read back as they were. */
export const COLUMNS_KEY = "while.columns";

/** Columns whose values do not stand as they are. */
export interface SpelledColumns {
  /** JSON as text. */
  json: readonly string[];
  /** `markers.<name>`, one number of the object `markers`. */
  markers: readonly string[];
}

export interface ParquetSourceOptions {
  /** For errors. */
  path: string;
  invalidUtf8: "refuse" | "replace";
  unsafeIntegers: UnsafeIntegers;
  notes: JsonNotes;
}

/** The records of a slice of a file. `line` is the number of the row. */
export interface ParquetPiece {
  records: SourceRecord[];
  /** Share of the file's rows that have been read with it. */
  progress: number;
  /** Bytes that are no text, up to here, and the path of the first. */
  binary: number;
  binaryPath: string | null;
}

/**
 * The records of a Parquet file, some megabytes at a time. A null cell is an absent key, `markers.<name>` columns are
 * the markers, and text in a column that holds a list or an object of a row is read as the JSON that it is.
 *
 * @throws SchemaError `bad_file`
 */
export async function* parquetRecords(
  source: ByteSource,
  { path, invalidUtf8, unsafeIntegers, notes }: ParquetSourceOptions,
): AsyncGenerator<ParquetPiece> {
  const file = await openParquet(source, { path, invalidUtf8 });
  if (file.nRows === 0) {
    throw new SchemaError("bad_file", `${named(path)} is a table without rows.`, "Check what should have written it.", {
      place: { file: path },
    });
  }
  const cells: CellNotes = { notes, unsafeIntegers, binary: 0, binaryPath: null };
  const spelled = spelledColumns(file.said(COLUMNS_KEY));
  const columns = file.columns.map(({ name, node }) => ({
    name,
    node,
    isJson: spelled === null ? isJsonColumn(name) : spelled.json.includes(name),
    isMarker: spelled === null ? name.startsWith(MARKER_COLUMN) : spelled.markers.includes(name),
  }));
  const recordOf = (row: readonly unknown[]): SourceRecord["value"] => {
    const value: SourceRecord["value"] = {};
    const markers: Record<string, unknown> = {};
    for (const [j, { name, node, isJson, isMarker }] of columns.entries()) {
      const cell = cellValue(row[j], node, name, cells);
      if (cell === undefined) continue;
      if (isMarker) put(markers, name.slice(MARKER_COLUMN.length), cell);
      else put(value, name, isJson ? parsed(cell, spelled !== null, cells) : cell);
    }
    if (Object.keys(markers).length > 0) {
      value.markers = isObject(value.markers) ? { ...value.markers, ...markers } : markers;
    }
    return value;
  };
  for await (const { first, rows } of file.slices()) {
    let records: SourceRecord[];
    try {
      records = rows.map((row, i) => ({ value: recordOf(row), line: first + i }));
    } catch (error) {
      throw parquetFault(path, error);
    }
    const { binary, binaryPath } = cells;
    yield { records, progress: (first - 1 + rows.length) / file.nRows, binary, binaryPath };
  }
}

function parsed(cell: unknown, isSurely: boolean, { notes, unsafeIntegers }: CellNotes): unknown {
  if (typeof cell !== "string" || !(isSurely || /^\s*[{[]/.test(cell))) return cell;
  try {
    return parseJsonText(cell, { notes, unsafeIntegers });
  } catch {
    return cell; // Refused at the door, with the row, where a list or an object has to stand.
  }
}

/** null for files of other writers, whose columns are known by their names alone. */
function spelledColumns(said: string | null): SpelledColumns | null {
  if (said === null) return null;
  try {
    const value = parseJsonText(said, { notes: emptyNotes() });
    if (isObject(value) && Array.isArray(value.json) && Array.isArray(value.markers)) {
      return { json: value.json.map(String), markers: value.markers.map(String) };
    }
  } catch {
    // Whoever rewrote the file kept the key and not its value.
  }
  return null;
}
