import { type Row, taskKey, textOf } from "@while/schema";
import { counted } from "../counted.ts";
import type { ScanGrouping } from "./scan-options.ts";

export interface AskGroups {
  groups: Row[][];
  groupBy: ScanGrouping;
  /** What to mind about the grouping; none or one. */
  warning: string[];
}

/**
 * Rows that an update compares: of one prompt, or of one task. A row without either is compared with none; the Python
 * SDK puts all rows without a prompt into one group.
 *
 * @param asked null to group by prompt unless a simulated user words most tasks anew in every rollout
 */
export function askGroups(rows: readonly Row[], asked: ScanGrouping | null): AskGroups {
  const byPrompt = grouped(rows, (row) => textOf(row.prompt) || taskKey(row));
  if (asked === "prompt") return { groups: byPrompt, groupBy: "prompt", warning: [] };
  const byTask = grouped(rows, taskKey);
  if (asked === "task") return { groups: byTask, groupBy: "task", warning: [] };
  const shared = (groups: readonly Row[][]): number =>
    groups.reduce((n, group) => n + (group.length >= 2 ? group.length : 0), 0);
  const inTasks = shared(byTask);
  if (inTasks === 0 || shared(byPrompt) * 2 > inTasks) return { groups: byPrompt, groupBy: "prompt", warning: [] };
  const warning =
    `${counted(byPrompt.length, "prompt")} word ${counted(byTask.length, "task")}, so rollouts are compared within ` +
    "tasks. A trainer that groups by prompt compares fewer: give the rollouts of a task one prompt, or scan with " +
    "groupBy prompt.";
  return { groups: byTask, groupBy: "task", warning: [warning] };
}

function grouped(rows: readonly Row[], keyOf: (row: Row) => string): Row[][] {
  const groups = new Map<string | symbol, Row[]>();
  for (const row of rows) {
    const key = keyOf(row) || Symbol("no ask");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
