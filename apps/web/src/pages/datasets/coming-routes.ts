import type { Dataset, Route } from "@while/platform-client/contract";

/** A set as lists show it, with what its profile and its gate say in a number each. */
export interface ListedDataset extends Dataset {
  passRate?: number | null;
  mixedTasks?: number | null;
  warnings?: number | null;
}

export interface RowPage {
  rows: Record<string, unknown>[];
  nextCursor?: string | null;
}

export const getDatasetRows = {
  id: "getDatasetRows",
  method: "GET",
  path: "/datasets/{id}/rows",
  answerType: "application/json",
} as unknown as Route<null, RowPage, { limit?: number; cursor?: string | null }>;

export const checkContamination = {
  id: "checkContamination",
  method: "POST",
  path: "/datasets/{id}/contamination",
  answerType: "application/json",
} as unknown as Route<{ against: string }, Record<string, unknown>>;
