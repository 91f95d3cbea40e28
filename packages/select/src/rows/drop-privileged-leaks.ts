import { isObject, type LeakHit, type Row, rowLeak, textOf } from "@while/schema";

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

const LEAKS_SHOWN = 20;

/**
 * Drops rows whose reply quotes 12 or more characters of their own `privileged` block, so that an export, which
 * refuses such rows, never refuses a kept one.
 */
export function dropPrivilegedLeaks(rows: readonly Row[]): { rows: Row[]; report: PrivilegedLeaksReport } {
  const kept: Row[] = [];
  const leaked: LeakHit[] = [];
  let nChecked = 0;
  let nDropped = 0;
  let nNotRows = 0;
  for (const [index, row] of rows.entries()) {
    if (!isObject(row)) {
      nNotRows++;
      continue;
    }
    const leak = rowLeak(row);
    if (leak !== null) nChecked++;
    if (leak?.field === undefined || leak.needle === undefined) {
      kept.push(row);
      continue;
    }
    nDropped++;
    if (leaked.length === LEAKS_SHOWN) continue;
    leaked.push({
      row: index,
      scenarioId: textOf(row.scenario_id) || null,
      rolloutIndex: row.rollout_index ?? null,
      field: leak.field,
      needle: leak.needle,
    });
  }
  return { rows: kept, report: { checked: nChecked > 0, nChecked, nDropped, nNotRows, leaked } };
}
