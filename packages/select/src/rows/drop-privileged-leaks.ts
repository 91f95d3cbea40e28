import { isObject, type LeakHit, LeakTally, type Row } from "@while/schema";

export interface PrivilegedLeaksReport {
  /** False when no row carried a block to compare with: then nothing was checked, and no leak is no finding. */
  checked: boolean;
  nChecked: number;
  nDropped: number;
  /** Entries that are no objects; dropped too. */
  nNotRows: number;
  /** The first twenty. */
  leaked: LeakHit[];
}

/**
 * Drops rows whose reply quotes 12 or more characters of their own `privileged` block that the agent had not been
 * shown, so that an export, which refuses such rows, never refuses a kept one.
 */
export function dropPrivilegedLeaks(rows: readonly Row[]): { rows: Row[]; report: PrivilegedLeaksReport } {
  const kept: Row[] = [];
  const tally = new LeakTally();
  let nNotRows = 0;
  for (const row of rows) {
    if (!isObject(row)) nNotRows++;
    else if (tally.add(row)?.field === undefined) kept.push(row);
  }
  const { checked, nChecked, nLeaked, leaked } = tally.report();
  return { rows: kept, report: { checked, nChecked, nDropped: nLeaked, nNotRows, leaked } };
}
