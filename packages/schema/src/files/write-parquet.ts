import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { LineSplitter } from "../json/line-splitter.ts";
import { emptyWriteNotes, rowLine } from "../json/row-line.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { ColumnTypes, cellOf, elementOf, type ParquetColumn } from "./parquet-columns.ts";
import { COLUMNS_KEY, type SpelledColumns } from "./parquet-records.ts";
import type { WriteReport } from "./row-writer.ts";
import { type Meta, writeSidecar } from "./sidecar.ts";
import { openScratch, type ScratchFile, writeFileAtomically } from "./write-file-atomically.ts";

/** Rows are handed on in pieces of about this many characters. */
const FLUSH_CHARS = 2 ** 20;

/** A row group is closed at this size, as JSON, or at this many rows: it is what a reader holds at a time. */
const GROUP_BYTES = 2 ** 24;
const GROUP_ROWS = 10_000;

export interface WriteParquetOptions {
  /** What the sidecar says; a function is asked when the last row is in, and may have nothing to say. */
  meta?: Meta | (() => Meta | undefined);
}

/**
 * Writes rows as Parquet, a column for each key that some row has, under a temporary name until the last row is in.
 * Memory stays at one row group: the rows pass through a scratch file beside the target, since a column must have one
 * kind and the last row may bring another.
 *
 * Text, numbers, whole numbers and truth values are columns of their type, `markers` is one column of numbers for each
 * marker (`markers.polite`), and lists, objects and keys of several kinds are JSON as text, for `json.loads`. The file
 * says which those are, so that `readRowFiles` gives the same rows back, but for keys that were null: they are absent.
 *
 * @throws SchemaError `bad_file`; `bad_value` for a row that refers to itself, or is longer than 64 MiB
 */
export async function writeParquet(
  path: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { meta }: WriteParquetOptions = {},
): Promise<WriteReport> {
  const report: WriteReport = { path, rows: 0, ...emptyWriteNotes() };
  return await writeFileAtomically(path, async (file) => {
    const scratch = await openScratch(path);
    try {
      const columns = await spool(rows, scratch, report);
      const bytes = new ByteWriter();
      const flush = async () => {
        await file.write(bytes.getBytes());
        bytes.index = 0;
      };
      const table = new ParquetWriter({
        writer: bytes,
        schema: [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)],
        kvMetadata: [{ key: COLUMNS_KEY, value: JSON.stringify(spelled(columns)) }],
      });
      for await (const group of groupsOf(scratch)) {
        const columnData = columns.map((column) => ({
          name: column.name,
          data: group.map((row) => cellOf(row, column)),
        }));
        await table.write({ columnData, rowGroupSize: group.length });
        await flush();
      }
      await table.finish();
      await flush();
    } finally {
      await scratch.discard();
    }
    // First what the rows point at, then the rows.
    const said = typeof meta === "function" ? meta() : meta;
    if (said !== undefined) await writeSidecar(path, said);
    return report;
  });
}

async function spool(
  rows: Iterable<Row> | AsyncIterable<Row>,
  scratch: ScratchFile,
  report: WriteReport,
): Promise<ParquetColumn[]> {
  const types = new ColumnTypes();
  let piece = "";
  for await (const row of rows) {
    report.rows++;
    const line = rowLine(row, report, report.rows);
    types.add(JSON.parse(line));
    piece += `${line}\n`;
    if (piece.length < FLUSH_CHARS) continue;
    await scratch.write(piece);
    piece = "";
  }
  await scratch.write(piece);
  return types.columns();
}

async function* groupsOf(scratch: ScratchFile): AsyncGenerator<Record<string, unknown>[]> {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  let group: Record<string, unknown>[] = [];
  let bytes = 0;
  let number = 0;
  for await (const chunk of scratch.chunks()) {
    for (const line of splitter.push(chunk)) {
      number++;
      if (line.tooLong) {
        throw new SchemaError(
          "bad_value",
          `Row ${number} is longer than 64 MiB.`,
          "Leave it out: no rollout is that long.",
        );
      }
      group.push(JSON.parse(decoder.decode(line.bytes)));
      bytes += line.bytes.length;
      if (bytes < GROUP_BYTES && group.length < GROUP_ROWS) continue;
      yield group;
      group = [];
      bytes = 0;
    }
  }
  if (group.length > 0) yield group;
}

function spelled(columns: readonly ParquetColumn[]): SpelledColumns {
  return {
    json: columns.filter(({ kind }) => kind === "json").map(({ name }) => name),
    markers: columns.filter(({ isMarker }) => isMarker).map(({ name }) => name),
  };
}
