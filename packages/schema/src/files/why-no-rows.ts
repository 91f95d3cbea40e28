import { binaryKind } from "../json/binary-kind.ts";
import { chunksOf } from "../json/bytes-of.ts";
import { firstInk } from "../json/container.ts";
import { emptyNotes } from "../json/json-text.ts";
import { RecordReader, type SourceObject } from "../json/record-reader.ts";
import { DETECT_RECORDS, formatOfRecords, unreadFormat } from "../readers/detect-format.ts";
import { unflattened } from "../readers/flat-columns.ts";
import { SchemaError } from "../schema-error.ts";
import { byteChunks } from "./byte-chunks.ts";
import { csvRecords } from "./csv-records.ts";
import { isInspectArchive, otherArchive } from "./inspect-archive.ts";
import { looksLikeCsv } from "./looks-like-csv.ts";
import { isParquet } from "./parquet-slices.ts";
import { openSource } from "./random-access.ts";
import { isZip, openZip } from "./zip-archive.ts";

/** A document that has shown nothing by now is taken for rows: it is parsed once more when it is read. */
const LOOKED_AT_BYTES = 2 ** 24;

/** Names of files that are meant to hold JSON, so that a fault in one is a fault and no sign of something else. */
const JSON_NAME = /\.(?:jsonl|ndjson|json)(?:\.gz)?$/i;

/**
 * Why a file that lies in a folder gives no rows, a clause like "is a PNG image"; null for one that does, or that should
 * and is damaged: whoever reads it says so.
 *
 * @param isNamed Whether the format of all files was named, so that theirs is not looked for
 */
export async function whyNoRows(path: string, { isNamed = false }: { isNamed?: boolean } = {}): Promise<string | null> {
  const chunks = byteChunks(path);
  try {
    const first = await chunks.next();
    const head: Uint8Array = first.done ? new Uint8Array() : first.value;
    if (firstInk(head) === head.length) return "is empty";
    if (isZip(head)) return await whyNoLog(path, head, chunks);
    if (isParquet(head)) return null;
    const kind = binaryKind(head);
    if (kind !== null) return `is ${kind.name}`;
    const records = looksLikeCsv(path, head)
      ? await firstOfTable(path, continued(head, chunks))
      : await firstOfJson(path, continued(head, chunks));
    if (records === null || typeof records === "string") return records;
    if (isNamed) return null;
    const format = formatOfRecords(records.map(unflattened), path);
    return format.open === undefined ? clauseOf(unreadFormat(format, path), path) : null;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return error.code === "format_unknown" ? clauseOf(error, path) : null;
  } finally {
    await chunks.return(undefined);
  }
}

async function whyNoLog(path: string, head: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<string | null> {
  const source = await openSource(path, head, chunks);
  try {
    const zip = await openZip(source, path);
    return isInspectArchive(zip) ? null : clauseOf(otherArchive(zip, path), path);
  } finally {
    await source.close();
  }
}

async function firstOfTable(path: string, chunks: AsyncIterable<Uint8Array>): Promise<SourceObject[]> {
  const source = { path, delimiter: null, invalidUtf8: "replace" as const, notes: emptyNotes(), refuse: () => {} };
  const records: SourceObject[] = [];
  for await (const { value } of csvRecords(chunks, source)) {
    if (records.push(value) === DETECT_RECORDS) break;
  }
  return records;
}

/** The first records; null when none are looked for any more, and a clause for what holds none. */
async function firstOfJson(path: string, chunks: AsyncIterable<Uint8Array>): Promise<SourceObject[] | string | null> {
  const records: SourceObject[] = [];
  let nBroken = 0;
  let bytes = 0;
  const reader = new RecordReader({
    file: path,
    unsafeIntegers: "ids",
    invalidUtf8: "replace",
    refuse: ({ what }) => {
      if (!what.endsWith("and not an object")) nBroken++;
    },
  });
  for await (const chunk of chunks) {
    for (const piece of chunksOf(chunk)) {
      for (const { value } of reader.push(piece)) records.push(value);
      if (records.length >= DETECT_RECORDS) return records.slice(0, DETECT_RECORDS);
    }
    bytes += chunk.length;
    if (bytes > LOOKED_AT_BYTES) return records.length > 0 ? records : null;
  }
  for (const { value } of reader.end()) records.push(value);
  reader.closeTail(false);
  if (records.length > 0) return records;
  if (nBroken === 0) return "holds no rows";
  return JSON_NAME.test(path) ? null : "is text, not rows";
}

async function* continued(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

/** What an error says of a file, without the file's name. */
function clauseOf({ what }: SchemaError, path: string): string {
  return what.replace(`${path} `, "").replace(/\.$/, "");
}
