import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { emptyWriteNotes, rowLine, type WriteNotes } from "../json/row-line.ts";
import type { Row } from "../row.ts";
import { type Meta, writeSidecar } from "./sidecar.ts";
import { type AtomicFile, type OpenFile, openFileAtomically } from "./write-file-atomically.ts";

/** The path that means standard output. */
const STDOUT = "-";

/** Rows are handed on in pieces of about this many characters. */
const FLUSH_CHARS = 2 ** 20;

const packed = promisify(gzip);

/** What was written, and what could not be written as it was. */
export interface WriteReport extends WriteNotes {
  /** As it was given. */
  path: string;
  rows: number;
}

/** A file of rows that is being written. It gets its name when it is closed, and none when it is aborted. */
export interface RowWriter {
  /** Wait for it: then memory stays at one piece however many rows there are. */
  write(row: Row): Promise<void>;
  /** Finishes the file, and writes the sidecar in front of it when there is something to say. */
  close(options?: { meta?: Meta }): Promise<WriteReport>;
  abort(): Promise<void>;
}

/**
 * Opens a JSONL file for writing, row by row. `-` is standard output; a name that ends in `.gz` is packed.
 *
 * @throws SchemaError `bad_file`
 */
export async function openRowWriter(path: string): Promise<RowWriter> {
  const file = path === STDOUT ? standardOutput : await openFileAtomically(path);
  const isPacked = path.endsWith(".gz");
  const report: WriteReport = { path, rows: 0, ...emptyWriteNotes() };
  let piece = "";
  const flush = async () => {
    const text = piece;
    piece = "";
    if (text === "") return;
    // Gzip members one after the other are gzip again.
    await file.write(isPacked ? await packed(text) : text);
  };
  return {
    async write(row) {
      piece += `${rowLine(row, report, report.rows + 1)}\n`;
      report.rows++;
      if (piece.length >= FLUSH_CHARS) await flush();
    },
    async close({ meta } = {}) {
      await flush();
      if (isPacked && report.rows === 0) await file.write(await packed(""));
      // First what the rows point at, then the rows.
      if (meta !== undefined && path !== STDOUT) await writeSidecar(path, meta);
      await file.commit();
      return report;
    },
    abort: () => file.abort(),
  };
}

/**
 * Writes rows as JSONL, under a temporary name until the last row is in.
 *
 * @param meta What the sidecar says; a function is asked when the last row is in, as the rules of a stream are known
 * then: `() => metaOf(stream.report())`
 * @throws SchemaError `bad_file`; `bad_value` for a row that refers to itself
 */
export async function writeJsonl(
  path: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { meta }: { meta?: Meta | (() => Meta) } = {},
): Promise<WriteReport> {
  const writer = await openRowWriter(path);
  try {
    for await (const row of rows) await writer.write(row);
    if (meta === undefined) return await writer.close();
    return await writer.close({ meta: typeof meta === "function" ? meta() : meta });
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

const standardOutput: AtomicFile & OpenFile = {
  write: (content) =>
    new Promise((resolve, reject) => {
      process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
    }),
  commit: async () => {},
  abort: async () => {},
};
