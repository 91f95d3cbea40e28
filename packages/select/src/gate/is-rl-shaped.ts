import { isObject, type Row, taskKey } from "@while/schema";
import type { SelectMode } from "../optimize.ts";

/** Are these rows for a grouped method: said by `mode`, and where that says nothing some task has several rollouts? */
export function isRlShaped(rows: readonly Row[], { mode }: { mode?: SelectMode } = {}): boolean {
  if (mode !== undefined) return mode === "rl";
  const seen = new Set<string>();
  for (const row of rows) {
    const key = isObject(row) ? taskKey(row) : "";
    if (key === "") continue;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}
