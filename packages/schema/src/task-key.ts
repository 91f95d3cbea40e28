import type { Row } from "./row.ts";
import { textOf } from "./text/text-of.ts";

/**
 * The one grouping key of every report: the first present of `scenario_id`, `task_id` and `prompt`, as text; ""
 * when a row has none. Intervals and pairings are over tasks, never over rows (Miller 2024, arXiv:2411.00640).
 *
 * Present means neither undefined, null nor "". The number 0 is an id; the Python SDK takes it for missing and falls
 * through to the prompt. Nothing is trimmed or lower-cased.
 */
export function taskKey(row: Row): string {
  return textOf(row.scenario_id) || textOf(row.task_id) || textOf(row.prompt);
}

/** Rows by task, and how many rows belong to no task. */
export interface TaskGroups {
  /** Tasks in the order of their first row, rows in the order given. */
  groups: Map<string, Row[]>;
  /** Rows with neither id nor prompt. Each is a group of its own, `row:<index>`. */
  nWithoutKey: number;
}

/**
 * Groups rows by `taskKey`. A row without any key is a task of its own: pooling such rows would invent one task with
 * many rollouts.
 */
export function groupByTask(rows: readonly Row[]): TaskGroups {
  const groups = new Map<string, Row[]>();
  let taken: Set<string> | undefined;
  let nWithoutKey = 0;
  for (const [index, row] of rows.entries()) {
    let key = taskKey(row);
    if (key === "") {
      nWithoutKey++;
      taken ??= new Set(rows.map(taskKey));
      key = `row:${index}`;
      while (taken.has(key)) key = `row:${key}`;
    }
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return { groups, nWithoutKey };
}
