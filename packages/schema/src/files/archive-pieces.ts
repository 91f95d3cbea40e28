import { NoteCounter } from "../json/record-reader.ts";
import type { FileRows } from "../readers/file-rows.ts";
import { formatNamed } from "../readers/formats.ts";
import type { ReadCollector } from "../readers/read-collector.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { openInspectArchive } from "./inspect-archive.ts";
import type { OpenSource } from "./random-access.ts";
import { openZip } from "./zip-archive.ts";

/** Names that a warning shows before it counts the rest. */
const NAMED = 3;

/**
 * Rows of a log of Inspect in its archive, those of one sample at a time. Samples come in the order in which they stand
 * there, which is that in which they ended.
 *
 * @param count Told of the bytes of the archive that were read
 * @throws SchemaError `format_unknown` for an archive that is no log, `bad_file` for a damaged one, `bad_option` where
 * another format was asked for
 */
export async function* archivePieces(
  file: FileRows,
  source: OpenSource,
  { collector, count }: { collector: ReadCollector; count: (bytes: number) => void },
): AsyncGenerator<Row[]> {
  const path = file.file.path ?? "";
  const { unsafeIntegers = "ids", invalidUtf8 = "refuse", onRecord, format = "auto" } = collector.options;
  const archive = await openInspectArchive(await openZip(source, path), {
    path,
    unsafeIntegers,
    invalidUtf8,
    onRecord,
  });
  if (!["auto", "inspect-eval", "inspect-json"].includes(format)) {
    throw new SchemaError(
      "bad_option",
      `${path} is an Inspect log (inspect-eval), and format is ${format}.`,
      "Leave format out, or read this file on its own.",
      { place: { file: path } },
    );
  }
  file.file.container = "zip";
  collector.nameRecords(
    file.file,
    archive.samples.map(({ name }) => name),
  );
  file.openAs(formatNamed("inspect-eval")!, { ...archive.head });
  const notes = new NoteCounter();
  let counted = source.isHeld ? source.byteLength : 0;
  for (const [i, sample] of archive.samples.entries()) {
    const line = i + 1;
    try {
      const value = await sample.read(notes.notes);
      notes.reached(line);
      yield file.records([{ value, line }]);
    } catch (error) {
      if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
      const what = `${sample.name}: ${error.what.replace(/\.$/, "")}`;
      collector.refuse({ file: file.file.path, line, column: null, code: "bad_value", what, fix: error.fix });
    }
    const reached = Math.min(source.byteLength, counted + sample.packedBytes);
    count(reached - counted);
    counted = reached;
  }
  yield* file.endOfRecords();
  count(source.byteLength - counted);
  if (archive.nReplaced > 0) {
    const samples = archive.nReplaced === 1 ? "1 sample stands" : `${archive.nReplaced} samples stand`;
    collector.warn("samples_replaced", `${path}: ${samples} there once more, run again; the last counts.`);
  }
  if (archive.ignored.length > 0) {
    const files = archive.ignored.length === 1 ? "1 file is" : `${archive.ignored.length} files are`;
    const shown = archive.ignored.slice(0, NAMED).map((name) => JSON.stringify(name));
    const more = archive.ignored.length > NAMED ? ` and ${archive.ignored.length - NAMED} more` : "";
    collector.warn("entries_ignored", `${path}: ${files} no part of a log and not read: ${shown.join(", ")}${more}.`);
  }
  collector.closeFile(file.file, { ...notes, droppedTail: false });
}
