import type { FileReport, Row, RowSource } from "@while/schema";
import { type ReadFilesOptions, type ReadRowFiles, type RowStream, streamRowFiles } from "@while/schema/files";
import { note } from "../print.ts";
import { progressOf } from "../progress.ts";
import type { Call } from "../verb.ts";

/**
 * The rows of a call one by one, in constant memory, with progress while they flow.
 *
 * @param onRow Told of each row before it is handed on, with the file that it is of
 */
export function streamRows(call: Call, onRow?: (row: Row, file: FileReport) => void): RowStream {
  const progress = progressOf(call.verb, call.io, call.common);
  const stream = streamRowFiles(call.files, { ...readOptions(call), onProgress: progress.show });
  async function* rows(): AsyncGenerator<Row> {
    try {
      if (onRow === undefined) yield* stream;
      else {
        const files = stream.files();
        for await (const row of stream) {
          onRow(row, files.at(-1)!);
          yield row;
        }
      }
    } finally {
      progress.clear();
    }
  }
  return { [Symbol.asyncIterator]: rows, report: () => stream.report(), files: () => stream.files() };
}

/** The same; once they are through, what was remarkable about them is noted on stderr. */
export async function* notedRows(call: Call, stream: RowStream = streamRows(call)): AsyncGenerator<Row> {
  yield* stream;
  for (const { text } of stream.report().warnings) note(call, text);
}

/** All rows of a call, in memory, and what was remarkable about them noted. */
export async function readAll(call: Call): Promise<ReadRowFiles> {
  const stream = streamRows(call);
  const rows: Row[] = [];
  for await (const row of stream) rows.push(row);
  const report = stream.report();
  for (const { text } of report.warnings) note(call, text);
  return { rows, report };
}

/** Rows with what the files said beside them, for the functions that put the rules and tools back. */
export function sourceOf({ rows, report }: ReadRowFiles): RowSource {
  const { mode, system_prompt: systemPrompt } = report.meta ?? {};
  return {
    rows,
    systemPrompts: report.systemPrompts,
    ...(report.tools === null ? {} : { tools: report.tools }),
    ...(typeof mode === "string" ? { mode } : {}),
    // One text for all rows. Where files brought several, each row names its own.
    ...(typeof systemPrompt === "string" && report.systemPrompts.size <= 1 ? { systemPrompt } : {}),
  };
}

/** The flags about reading as the options of `readRowFiles`. */
export function readOptions({ input }: Call): ReadFilesOptions {
  const { from, skipBad, delimiter, ...same } = input;
  return {
    ...same,
    ...(from === undefined ? {} : { format: from }),
    ...(skipBad === true ? { onBadRow: "skip" } : {}),
    // What a shell passes for a tab.
    ...(delimiter === undefined ? {} : { delimiter: delimiter === "\\t" ? "\t" : delimiter }),
  };
}
