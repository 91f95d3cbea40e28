import { isObject, type Row } from "@while/schema";
import { type ExportOptions, exportSettings } from "./export-options.ts";
import { ExportRun } from "./export-run.ts";
import type { ExportReport } from "./report/export-report.ts";
import { checkRows, type Source, sourceParts } from "./source.ts";

/** The lines of a file, without their ends, and what `exportDataset` would say about it. */
export interface ExportedLines {
  lines: string[];
  report: ExportReport;
}

/**
 * `exportDataset` without files: the lines of the dataset and its report, for a browser, a worker or a pipe of your
 * own. All rows and lines are held at once.
 *
 * @throws ExportError as `exportDataset` does
 */
export function exportLines(source: Source, options: ExportOptions = {}): ExportedLines {
  const parts = sourceParts<Iterable<Row>>(source);
  checkRows(parts.rows);
  const run = new ExportRun(exportSettings(options, parts), false);
  const buffered = !Array.isArray(parts.rows) && isOneShot(parts.rows);
  const rows = buffered ? [...parts.rows] : parts.rows;
  for (const row of rows) run.survey(row);
  run.decide();
  const lines: string[] = [];
  for (const row of rows) lines.push(...run.lines(row));
  return { lines, report: run.report(null, { buffered }) };
}

/** A generator gives its rows once; a list gives them each time. */
export function isOneShot(rows: Iterable<Row> | AsyncIterable<Row>): boolean {
  if (!isObject(rows)) return false;
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  return (iterator as unknown) === rows;
}
