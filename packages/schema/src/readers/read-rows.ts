import { bytesOf, chunksOf } from "../json/bytes-of.ts";
import type { Row } from "../row.ts";
import { checkReadOptions } from "./check-read-options.ts";
import { FileRows } from "./file-rows.ts";
import { ReadCollector } from "./read-collector.ts";
import type { ReadOptions } from "./read-options.ts";
import type { ReadReport } from "./read-report.ts";

/** Rows, and how they came to be read as these. */
export interface ReadRows {
  rows: Row[];
  report: ReadReport;
}

export interface ReadTextOptions extends ReadOptions {
  /** The file's name: for errors, for `lineage.file`, and for formats that keep facts in it. */
  file?: string;
}

/**
 * Rows from the content of a file: JSONL, a JSON array, or an object with `rows`, `data` or `trajectories`, in any of
 * the formats. For files on disk, gzip and CSV there is `readRowFiles` in `@while/schema/files`.
 *
 * @throws SchemaError with the place: `bad_line`, `bad_value`, `duplicate_rollout`, `bad_file`, `format_unknown`,
 * `format_ambiguous`, `bad_option`
 */
export function readRows(source: string | Uint8Array, { file, ...options }: ReadTextOptions = {}): ReadRows {
  checkReadOptions(options);
  const collector = new ReadCollector(options);
  const reader = new FileRows(file ?? null, collector);
  const rows: Row[] = [];
  for (const chunk of chunksOf(bytesOf(source))) {
    for (const row of reader.push(chunk)) rows.push(row);
  }
  for (const piece of reader.end()) {
    for (const row of piece) rows.push(row);
  }
  return { rows, report: collector.finish() };
}
