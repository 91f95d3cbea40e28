import { isObject, type Row, textOf } from "@while/schema";

/**
 * What rows are grouped by: a row key (`category`), a key of `lineage`, `marker:<name>`, `tag:<name>` (a key of
 * `row.tags`), or a function; null and "" are no group.
 */
export type GroupBy = string | ((row: Row) => string | null);

/** The row's group; "" when it has none. */
export function groupOf(row: Row, by: GroupBy): string {
  if (typeof by === "function") return textOf(by(row));
  if (by.startsWith("marker:")) return textIn(row.markers, by.slice("marker:".length));
  if (by.startsWith("tag:")) return textIn(row.tags, by.slice("tag:".length));
  return textIn(row, by) || textIn(row.lineage, by);
}

function textIn(holder: unknown, key: string): string {
  return isObject(holder) && Object.hasOwn(holder, key) ? textOf(holder[key]) : "";
}
