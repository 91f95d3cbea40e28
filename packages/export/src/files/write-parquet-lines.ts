import { createHash } from "node:crypto";
import { writeFileAtomically } from "@while/schema/files";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { WrittenFile } from "../export-run.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import { elementsOf, ParquetShapes, parquetCell } from "./parquet-shape.ts";

/** A row group is closed at this size, as JSON, or at this many rows: it is what is held at a time. */
const GROUP_CHARS = 2 ** 24;
const GROUP_ROWS = 10_000;

/** Whether a file is called as Parquet is. */
export function isParquet(path: string): boolean {
  return /\.parquet$/i.test(path);
}

/**
 * Writes the lines of an export as Parquet, whole or not at all.
 *
 * @param lines Gives all lines, each time it is called: once to learn what types the columns have, once to write
 */
export async function writeParquetLines(
  output: string,
  lines: () => Iterable<string> | AsyncIterable<string>,
): Promise<WrittenFile> {
  const learned = new ParquetShapes();
  for await (const line of lines()) learned.add(rowOf(line));
  const shapes = learned.shapes();
  const hash = createHash("sha256");
  let size = 0;
  await writeFileAtomically(output, async (file) => {
    const bytes = new ByteWriter();
    const flush = async () => {
      const piece = bytes.getBytes();
      hash.update(piece);
      size += piece.length;
      await file.write(piece);
      bytes.index = 0;
    };
    const table = new ParquetWriter({
      writer: bytes,
      schema: [{ name: "root", num_children: shapes.length }, ...shapes.flatMap(elementsOf)],
      createdBy: "@while/export",
    });
    for await (const group of groupsOf(lines())) {
      const columnData = shapes.map((shape) => ({
        name: shape.name,
        data: group.map((row) => parquetCell(row[shape.name], shape)),
      }));
      await table.write({ columnData, rowGroupSize: group.length });
      await flush();
    }
    await table.finish();
    await flush();
  });
  return { path: output, sha256: hash.digest("hex"), bytes: size };
}

async function* groupsOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Record<string, unknown>[]> {
  let group: Record<string, unknown>[] = [];
  let chars = 0;
  for await (const line of lines) {
    group.push(rowOf(line));
    chars += line.length;
    if (chars < GROUP_CHARS && group.length < GROUP_ROWS) continue;
    yield group;
    group = [];
    chars = 0;
  }
  if (group.length > 0) yield group;
}

/** With every digit: a double would respell an id. */
function rowOf(line: string): Record<string, unknown> {
  return parseJsonTree(line) as Record<string, unknown>;
}
