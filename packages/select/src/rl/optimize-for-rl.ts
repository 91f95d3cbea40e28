import { checkOptions, type Row, type RowSource } from "@while/schema";
import { type GroupSignal, groupSignal } from "@while/stats";
import { trimUnanimousGroups } from "../groups/trim-unanimous-groups.ts";
import { type FilterRlRowsReport, filterRlRows } from "../rows/filter-rl-rows.ts";
import { SelectError } from "../select-error.ts";

export interface OptimizeForRlOptions {
  /** Drop tasks whose rollouts all agree. */
  trimUnanimous?: boolean;
}

export interface OptimizeForRlReport extends FilterRlRowsReport {
  unanimousRowsDropped: number;
  /** Of the rows that are left. */
  signal: GroupSignal;
}

/**
 * The row gates and the unanimous trim alone: no duplicates, no band, no order, no target. What the Python SDK's
 * `optimize_for_rl` does, for scripts that were written for it; `optimize` with mode rl does more.
 *
 * @throws SelectError `bad_option`
 */
export function optimizeForRl(
  source: readonly Row[] | RowSource,
  options: OptimizeForRlOptions = {},
): { rows: Row[]; report: OptimizeForRlReport } {
  checkOptions(options, ["trimUnanimous"], (what, fix) => new SelectError("bad_option", what, fix));
  const { trimUnanimous = true } = options;
  const given: RowSource = "rows" in source ? source : { rows: source };
  const hasTools = given.tools === undefined || given.tools.length > 0;
  const { rows: passed, report } = filterRlRows(given.rows, { hasTools });
  const rows = trimUnanimous ? trimUnanimousGroups(passed).rows : passed;
  return {
    rows,
    report: {
      ...report,
      nKept: rows.length,
      nDropped: report.n - rows.length,
      unanimousRowsDropped: passed.length - rows.length,
      signal: groupSignal(rows),
    },
  };
}
