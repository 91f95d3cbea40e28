import { isObject, type Row } from "@while/schema";
import { isTruncated } from "../rows/is-truncated.ts";

export interface DropTruncatedReport {
  n: number;
  nKept: number;
  /** Rows that were cut, by `isTruncated`. */
  nDropped: number;
  /** Entries that are no objects; dropped too. */
  nNotRows: number;
}

/** The rows whose reply was not cut. */
export function dropTruncated(rows: readonly Row[]): { rows: Row[]; report: DropTruncatedReport } {
  const objects = rows.filter(isObject);
  const kept = objects.filter((row) => !isTruncated(row));
  const report = {
    n: rows.length,
    nKept: kept.length,
    nDropped: objects.length - kept.length,
    nNotRows: rows.length - objects.length,
  };
  return { rows: kept, report };
}
