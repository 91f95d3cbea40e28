import { groupByTask, type Row } from "@while/schema";

/** The task of each row, in their order; a row without a key is a task of its own. */
export function taskClusters(rows: readonly Row[]): string[] {
  const taskOf = new Map<Row, string>();
  for (const [task, own] of groupByTask(rows).groups) {
    for (const row of own) taskOf.set(row, task);
  }
  return rows.map((row) => taskOf.get(row)!);
}
