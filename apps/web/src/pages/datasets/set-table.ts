import type { Dataset } from "@while/platform-client/contract";

/** Heads of the table as a file, under the names that the platform gives them. */
export const SET_COLUMNS = [
  "dataset_id",
  "name",
  "agent",
  "purpose",
  "mode",
  "status",
  "rows",
  "tasks",
  "pass_rate",
  "mixed_tasks",
  "gate_warnings",
  "size_bytes",
  "parent_dataset_id",
  "created_at",
] as const;

/** One set as a line of that table; what is not known is empty, and no 0. */
export function setCells(set: Dataset): (string | number | null)[] {
  return [
    ...[set.datasetId, set.name, set.agent, set.purpose, set.mode, set.status, set.rows, set.tasks],
    ...[set.passRate ?? null, set.mixedTasks ?? null, set.warnings ?? null],
    ...[set.sizeBytes, set.parentDatasetId, set.createdAt],
  ];
}
