import { commonRuns, isObject, type LeakOptions, type Row, rowLeak } from "@while/schema";
import { withMarkers } from "./with-markers.ts";

/** The marker that `leakMarkers` stamps. */
export const LEAK_MARKER = "no_leak";

/**
 * Stamps `no_leak`: 1 where the reply was checked against the row's privileged block and quotes none of it, 0 where it
 * does. A row without a block long enough to quote gets none: it was not checked. What is common speech is found in the rows,
 * as `leakReport` does.
 *
 * @returns New rows; other markers stay
 * @throws SchemaError `bad_option`
 */
export function leakMarkers(rows: readonly Row[], options: LeakOptions = {}): Row[] {
  const common = options.common ?? (options.rules === "v1" ? new Set<string>() : commonRuns(rows, options.minLen));
  return rows.map((row) => {
    const leak = isObject(row) ? rowLeak(row, { ...options, common }) : null;
    return leak === null ? row : withMarkers(row, { [LEAK_MARKER]: leak.field === undefined ? 1 : 0 });
  });
}
