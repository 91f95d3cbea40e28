import { type Row, textOf } from "@while/schema";

/** How a sentence names a row: its place, and `scenario#rollout` where the row says so. */
export function rowName(row: Row, index: number): string {
  const task = textOf(row.scenario_id) || textOf(row.task_id);
  if (task === "") return `row ${index}`;
  const rollout = textOf(row.rollout_index);
  return rollout === "" ? `row ${index} (${task})` : `row ${index} (${task}#${rollout})`;
}
