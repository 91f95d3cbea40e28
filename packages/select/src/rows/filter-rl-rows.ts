import { isObject, type Row } from "@while/schema";
import { passLabel } from "@while/stats";
import { type DropReasonOptions, type GateReason, gateRow, readGateOptions } from "./drop-reason.ts";

export interface FilterRlRowsReport {
  n: number;
  nKept: number;
  nDropped: number;
  /** Entries that are no objects. */
  nNotRows: number;
  /** Rows by reason; with `nNotRows` they add up to `nDropped`. */
  dropped: Record<GateReason, number>;
  /** Rows kept for a trusted zero that would have been junk. */
  keptVerifiedZero: number;
}

/**
 * The rows that pass every single-row gate, and what happened to the others. The reasons are those of `dropReason`.
 *
 * @throws SelectError `bad_option`
 */
export function filterRlRows(
  rows: readonly Row[],
  options: DropReasonOptions = {},
): { rows: Row[]; report: FilterRlRowsReport } {
  const gates = readGateOptions(options);
  const kept: Row[] = [];
  const dropped = { do_nothing: 0, incomplete_junk: 0, unusable_label: 0 };
  let nNotRows = 0;
  let keptVerifiedZero = 0;
  for (const row of rows) {
    if (!isObject(row)) {
      nNotRows++;
      continue;
    }
    const { reason, verifiedZero } = gateRow(row, { ...gates, label: passLabel });
    if (reason === null) kept.push(row);
    else dropped[reason]++;
    if (verifiedZero) keptVerifiedZero++;
  }
  const report = {
    n: rows.length,
    nKept: kept.length,
    nDropped: rows.length - kept.length,
    nNotRows,
    dropped,
    keptVerifiedZero,
  };
  return { rows: kept, report };
}
