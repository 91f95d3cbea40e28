import { isObject } from "../is-object.ts";
import { bytesOf, chunksOf } from "../json/bytes-of.ts";
import { named } from "../json/container.ts";
import { LIST_KEYS } from "../json/document-splitter.ts";
import { RecordReader, type SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { shownKeys } from "../text/shown-value.ts";
import { isEmpty, unflattened } from "./flat-columns.ts";
import type { Format } from "./format.ts";
import { formatNames, formatOf } from "./formats.ts";
import { looseRow } from "./load-traces.ts";
import { whileRows } from "./while.ts";

/** Records looked at before a file's format is believed. */
export const DETECT_RECORDS = 20;

const ZIP = "PK\x03\x04";

/**
 * The format of a file from its first 20 records: the name to give as `format`. Formats that are known by sight but
 * not read yet are named too.
 *
 * @param source Text or bytes of a file, a parsed document, or a list of records
 * @param filename Only for the sentence of an error
 * @throws SchemaError `format_ambiguous` when the records disagree, `format_unknown` when they are no rows
 */
export function detectFormat(source: unknown, filename: string | null = null): string {
  if (typeof source === "string" || source instanceof Uint8Array) {
    const bytes = bytesOf(source);
    return isInspectZip(bytes) ? "inspect-eval" : formatOfRecords(firstRecords(bytes, filename), filename).name;
  }
  const list = isObject(source) ? LIST_KEYS.map((key) => source[key]).find(Array.isArray) : source;
  const records = Array.isArray(list) ? list.filter(isObject).slice(0, DETECT_RECORDS) : [];
  if (isObject(source) && records.length === 0) records.push(source);
  return formatOfRecords(records.map(unflattened), filename).name;
}

/**
 * The one format of some records. Rows and loose rows may stand in one file, which is then read as loose rows: those
 * are rows under other names.
 *
 * @throws SchemaError `format_ambiguous`, `format_unknown`
 */
export function formatOfRecords(records: readonly SourceObject[], file: string | null): Format {
  const counts = new Map<Format, number>();
  for (const record of records) {
    const format = formatOf(record);
    counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  const found = [...counts.keys()];
  const loose = found.find(({ name }) => name === "loose");
  if (found.length > 1 && !(found.length === 2 && loose !== undefined && found.some(({ name }) => name === "while"))) {
    const list = [...counts].sort(([, a], [, b]) => b - a).map(([{ name }, n]) => `${n} ${name}`);
    throw new SchemaError(
      "format_ambiguous",
      `${named(file)} mixes formats: its first ${records.length} records are ${list.join(", ")}.`,
      `Split the file, or pass format to read all as one of ${formatNames().join(", ")}.`,
      placeOf(file),
    );
  }
  const format = loose ?? found[0];
  if (format === loose && records.length > 0 && records.every(isScore)) return whileRows;
  if (format === undefined || (format === loose && !records.some(isRowLike))) throw noRows(records, file);
  return format;
}

/** Refuses a format that is known by sight alone. */
export function unreadFormat({ name, title }: Format, file: string | null): SchemaError {
  return new SchemaError(
    "format_unknown",
    `${named(file)} looks like ${title} (${name}), which is not read yet.`,
    `Write its rollouts as JSONL rows; read today are ${formatNames().join(", ")} and CSV.`,
    placeOf(file),
  );
}

/** An Inspect log is a zip archive whose first entry has one of a few names. */
function isInspectZip(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 120));
  return head.startsWith(ZIP) && /header\.json|_journal\/|start\.json|samples\//.test(head);
}

function noRows(records: readonly SourceObject[], file: string | null): SchemaError {
  const [first = {}] = records;
  return new SchemaError(
    "format_unknown",
    Object.keys(first).length === 0
      ? `${named(file)} has no record that could be a row.`
      : `${named(file)} holds no rows: no record has an ask or a conversation, and the first has the keys ${shownKeys(first)}.`,
    "A row has a prompt and a final_text; see the keys of the row, or pass format if it is one of these: " +
      `${formatNames().join(", ")}.`,
    placeOf(file),
  );
}

/** A line of a table of scores: a task and what came of it. It is a row, if of few words: rates need no more. */
function isScore(record: SourceObject): boolean {
  const { task_id: task, reward } = record;
  if (typeof task !== "string" && typeof task !== "number") return false;
  return reward !== undefined && looseRow(record, {}) === null;
}

function isRowLike(record: SourceObject): boolean {
  if (formatOf(record).name !== "loose") return true;
  const row = looseRow(record, {});
  return row !== null && !isEmpty(row);
}

function firstRecords(bytes: Uint8Array, file: string | null): SourceObject[] {
  const records: SourceObject[] = [];
  const reader = new RecordReader({
    file,
    unsafeIntegers: "ids",
    invalidUtf8: "replace",
    // What is wrong with a line is said by whoever reads the file.
    refuse: () => {},
  });
  for (const chunk of chunksOf(bytes)) {
    for (const { value } of reader.push(chunk)) records.push(value);
    if (records.length >= DETECT_RECORDS) return records.slice(0, DETECT_RECORDS).map(unflattened);
  }
  for (const { value } of reader.end()) records.push(value);
  return records.slice(0, DETECT_RECORDS).map(unflattened);
}

function placeOf(file: string | null): { place: { file?: string } } {
  return { place: file === null ? {} : { file } };
}
