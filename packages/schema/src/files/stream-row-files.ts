import { chunksOf } from "../json/bytes-of.ts";
import { type BadRecord, NoteCounter } from "../json/record-reader.ts";
import { checkReadOptions } from "../readers/check-read-options.ts";
import { FileRows } from "../readers/file-rows.ts";
import { ReadCollector } from "../readers/read-collector.ts";
import type { ReadOptions } from "../readers/read-options.ts";
import type { FileReport, ReadReport } from "../readers/read-report.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { archivePieces } from "./archive-pieces.ts";
import { readBeside } from "./beside-file.ts";
import { byteChunks, sizeOf } from "./byte-chunks.ts";
import { csvRecords } from "./csv-records.ts";
import { looksLikeCsv } from "./looks-like-csv.ts";
import { parquetRecords } from "./parquet-records.ts";
import { isParquet } from "./parquet-slices.ts";
import { openSource } from "./random-access.ts";
import { rowFiles, simulationPaths } from "./row-paths.ts";
import { readSidecar } from "./sidecar.ts";
import { simulationRecords } from "./simulation-records.ts";
import { SpilledBytes } from "./spilled-bytes.ts";
import { isZip } from "./zip-archive.ts";

/** How far reading has come. */
export interface ReadProgress {
  path: string;
  /** Bytes of all files so far, as unpacked. */
  bytes: number;
  /** Bytes on disk of all files; null when one is a pipe. Packed files unpack to more. */
  totalBytes: number | null;
  rows: number;
}

export interface ReadFilesOptions extends ReadOptions {
  /** Told after every piece of a file, about a megabyte each. */
  onProgress?: (progress: ReadProgress) => void;
}

/** Rows one after the other. The report is whole when the loop over them has ended. */
export interface RowStream extends AsyncIterable<Row> {
  /** @throws SchemaError `bad_option` while there are rows left */
  report(): ReadReport;
  /** The files that were opened so far; the row that came last is of the last of them. */
  files(): readonly FileReport[];
}

/** Rows of files, all of them. */
export interface ReadRowFiles {
  rows: Row[];
  report: ReadReport;
}

/**
 * Rows of one file after the other, in one pass and in constant memory: a gigabyte of JSONL peaks under 100 MB. A path
 * is a file, `-` for standard input, or a folder; gzip is unpacked, CSV, Parquet and Inspect's archives are read,
 * and `<stem>.meta.json` beside a file is read along, and so is the file in which an evaluation keeps what holds for all
 * its rollouts.
 *
 * A bad row ends the loop with an error, after the rest of the files has been searched for more of them.
 *
 * @throws SchemaError with the place: `not_found`, `bad_file`, `bad_line`, `bad_value`, `duplicate_rollout`,
 * `format_unknown`, `format_ambiguous`, `bad_option`
 */
export function streamRowFiles(paths: readonly string[], options: ReadFilesOptions = {}): RowStream {
  const { pieces, report } = openRowFiles(paths, options);
  let state: "fresh" | "reading" | "done" = "fresh";
  async function* rows(): AsyncGenerator<Row> {
    for await (const piece of pieces) {
      for (const row of piece) yield row;
    }
    state = "done";
  }
  return {
    [Symbol.asyncIterator]() {
      if (state !== "fresh") {
        throw new SchemaError(
          "bad_option",
          "These rows have been read already.",
          "Open the files again for a second pass.",
        );
      }
      state = "reading";
      return rows();
    },
    files: () => report.files,
    report() {
      if (state === "done") return report;
      throw new SchemaError(
        "bad_option",
        "The rows have not been read to their end.",
        "Take the report after the loop.",
      );
    },
  };
}

/**
 * Rows of files, all in memory; for more than fit there is `streamRowFiles`, which says what a path may be.
 *
 * @throws SchemaError as `streamRowFiles`
 */
export async function readRowFiles(paths: readonly string[], options: ReadFilesOptions = {}): Promise<ReadRowFiles> {
  const { pieces, report } = openRowFiles(paths, options);
  const rows: Row[] = [];
  for await (const piece of pieces) {
    for (const row of piece) rows.push(row);
  }
  return { rows, report };
}

interface OpenRowFiles {
  /** The rows of a piece of file at a time, a dozen or so. */
  pieces: AsyncIterable<Row[]>;
  /** Whole when the pieces have ended. */
  report: ReadReport;
}

function openRowFiles(paths: readonly string[], options: ReadFilesOptions): OpenRowFiles {
  checkReadOptions(options, ["onProgress"]);
  const { onProgress = () => {}, ...readOptions } = options;
  const collector = new ReadCollector(readOptions);
  async function* pieces(): AsyncGenerator<Row[]> {
    const { format = "auto" } = readOptions;
    const { files, noRows, notes } = await rowFiles(paths, { isNamed: format !== "auto" });
    collector.report.noRows.push(...noRows);
    for (const note of notes) collector.warn("no_rows", note);
    const simulations = new Map<string, string[]>();
    for (const path of files) simulations.set(path, await simulationPaths(path));
    const totalBytes = await total([...files, ...[...simulations.values()].flat()]);
    let bytes = 0;
    for (const path of files) {
      const meta = await readSidecar(path);
      if (meta !== null) collector.addMeta(meta, path);
      const count = (chunkBytes: number) => {
        bytes += chunkBytes;
        onProgress({ path, bytes, totalBytes, rows: collector.report.rows });
      };
      const parts = simulations.get(path)!;
      yield* parts.length > 0 ? folderPieces(path, parts, collector, count) : filePieces(path, collector, count);
    }
    collector.finish();
  }
  return { pieces: pieces(), report: collector.report };
}

async function* filePieces(
  path: string,
  collector: ReadCollector,
  count: (bytes: number) => void,
): AsyncGenerator<Row[]> {
  const waitingBytes = new SpilledBytes();
  const file = new FileRows(path, collector, { beside: await readBeside(path), waitingBytes });
  const chunks = counted(byteChunks(path), count);
  try {
    const first = await chunks.next();
    const head: Uint8Array = first.done ? new Uint8Array() : first.value;
    if (isZip(head)) {
      const source = await openSource(path, head, chunks);
      try {
        yield* archivePieces(file, source, { collector, count });
      } finally {
        await source.close();
      }
      return;
    }
    if (isParquet(head)) {
      yield* parquetPieces(file, head, { chunks, collector, count });
      return;
    }
    if (collector.options.format === "csv" || looksLikeCsv(path, head)) {
      yield* csvPieces(file, continued(head, chunks), collector);
      return;
    }
    for await (const chunk of continued(head, chunks)) {
      for (const piece of chunksOf(chunk)) yield file.push(piece);
    }
    yield* file.end();
  } finally {
    waitingBytes.close();
    // Whoever stops early, or is stopped by the first bytes, has not come to the end of the file.
    await chunks.return(undefined);
  }
}

/** One file after the other, as records of the one that names them. */
async function* folderPieces(
  path: string,
  parts: readonly string[],
  collector: ReadCollector,
  count: (bytes: number) => void,
): AsyncGenerator<Row[]> {
  const file = new FileRows(path, collector);
  const notes = new NoteCounter();
  file.file.container = "json-object";
  for await (const record of simulationRecords(path, parts, collector, { notes: notes.notes, count })) {
    notes.reached(record.line);
    yield file.records([record]);
  }
  yield* file.endOfRecords();
  collector.closeFile(file.file, { ...notes, droppedTail: false });
}

async function* csvPieces(
  file: FileRows,
  chunks: AsyncIterable<Uint8Array>,
  collector: ReadCollector,
): AsyncGenerator<Row[]> {
  const { delimiter = null, invalidUtf8 = "refuse" } = collector.options;
  const notes = new NoteCounter();
  const refuse = (bad: BadRecord) => collector.refuse(bad);
  const source = { path: file.file.path ?? "", delimiter, invalidUtf8, notes: notes.notes, refuse };
  file.file.container = "csv";
  for await (const record of csvRecords(chunks, source)) {
    file.file.delimiter = record.delimiter;
    notes.reached(record.line);
    yield file.records([record]);
  }
  yield* file.endOfRecords();
  collector.closeFile(file.file, { ...notes, droppedTail: false });
}

/** Rows of a table whose end says where its columns are: it is read from there, whatever was read of its beginning. */
async function* parquetPieces(
  file: FileRows,
  head: Uint8Array,
  {
    chunks,
    collector,
    count,
  }: { chunks: AsyncIterable<Uint8Array>; collector: ReadCollector; count: (bytes: number) => void },
): AsyncGenerator<Row[]> {
  const path = file.file.path ?? "";
  const { unsafeIntegers = "ids", invalidUtf8 = "refuse" } = collector.options;
  const notes = new NoteCounter();
  const source = await openSource(path, head, chunks);
  file.file.container = "parquet";
  let counted = source.isHeld ? source.byteLength : 0;
  let bytes: { binary: number; binaryPath: string | null } = { binary: 0, binaryPath: null };
  try {
    for await (const piece of parquetRecords(source, { path, invalidUtf8, unsafeIntegers, notes: notes.notes })) {
      notes.reached(piece.records[0]?.line ?? 1);
      yield file.records(piece.records);
      const reached = Math.max(counted, Math.round(piece.progress * source.byteLength));
      count(reached - counted);
      counted = reached;
      bytes = piece;
    }
  } finally {
    await source.close();
  }
  yield* file.endOfRecords();
  collector.closeFile(file.file, { ...notes, droppedTail: false });
  if (bytes.binary > 0) {
    const values = bytes.binary === 1 ? "1 value is" : `${bytes.binary} values are`;
    collector.warn(
      "binary",
      `${path}: ${values} bytes and no text, and read as base64; the first stands under ${bytes.binaryPath}.`,
    );
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    count(chunk.length);
  }
}

async function* continued(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* rest;
}

async function total(files: readonly string[]): Promise<number | null> {
  let sum = 0;
  for (const path of files) {
    const size = await sizeOf(path);
    if (size === null) return null;
    sum += size;
  }
  return sum;
}
