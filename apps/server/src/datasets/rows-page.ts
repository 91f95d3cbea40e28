import { isObject, parseJsonText } from "@while/schema";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { DatasetPartTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";

/** A page ends here even when it holds fewer rows than were asked for. */
const PAGE_BYTES = 4_000_000;

export interface RowsPage {
  rows: Record<string, unknown>[];
  nextCursor: string | null;
}

interface Place {
  part: number;
  byte: number;
}

function placeOf(cursor: string | null | undefined): Place {
  if (cursor == null || cursor === "") return { part: 0, byte: 0 };
  const found = /^(\d{1,6})-(\d{1,15})$/.exec(cursor);
  if (found !== null) return { part: Number(found[1]), byte: Number(found[2]) };
  throw new HttpError("invalid_request", "The cursor is none that this server gave. Begin without one.", {
    field: "cursor",
  });
}

interface Line {
  bytes: Buffer;
  /** Byte of its part at which the next line begins. */
  end: number;
}

/** Lines of a part from a byte on. They are told apart as bytes, so that a place in the file can be named. */
async function* linesFrom(blobs: BlobStore, { blob }: DatasetPartTable, from: number): AsyncGenerator<Line> {
  const chunks = await blobs.get(blob, { from });
  if (chunks === null)
    throw new HttpError("upload_missing", "The bytes of this set are gone from the store. Push it again.");
  let rest = Buffer.alloc(0);
  let at = from;
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield { bytes: rest.subarray(start, end), end: at + end + 1 };
      start = end + 1;
    }
    rest = rest.subarray(start);
    at += start;
  }
  if (rest.byteLength > 0) yield { bytes: rest, end: at + rest.byteLength };
}

/** Rows of a set from a cursor on; the cursor names the byte at which the next row begins, so that no row is read twice. */
export async function rowsPage(
  blobs: BlobStore,
  parts: readonly DatasetPartTable[],
  { limit, cursor }: { limit: number; cursor: string | null | undefined },
): Promise<RowsPage> {
  const from = placeOf(cursor);
  const rows: Record<string, unknown>[] = [];
  const decoder = new TextDecoder();
  let bytes = 0;
  for (const [place, part] of parts.entries()) {
    if (place < from.part) continue;
    let next = place === from.part ? from.byte : 0;
    if (next >= part.bytes) continue;
    for await (const line of linesFrom(blobs, part, next)) {
      if (rows.length >= limit || (rows.length > 0 && bytes + line.bytes.byteLength > PAGE_BYTES)) {
        return { rows, nextCursor: `${place}-${next}` };
      }
      next = line.end;
      const text = decoder.decode(line.bytes);
      if (text.trim() === "") continue;
      const row = parseJsonText(text);
      if (isObject(row)) rows.push(row);
      bytes += line.bytes.byteLength;
    }
  }
  return { rows, nextCursor: null };
}
