import type { Dataset } from "../contract/datasets.ts";

export interface EmptyOptions {
  /** Sets of at most so many rows count as empty too, where their rows are known. */
  maxRows?: number | undefined;
  /** Also those that are being filled, or younger than an hour: an upload under way has no bytes yet. */
  includePending?: boolean | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

const YOUNG_MS = 3_600_000;

/** Sets that hold nothing, or next to nothing. */
export function emptyDatasets(
  datasets: readonly Partial<Dataset>[],
  { maxRows = 0, includePending = false, now }: EmptyOptions,
): Partial<Dataset>[] {
  return datasets.filter(({ sizeBytes, rows, status, createdAt }) => {
    const few = maxRows > 0 && typeof rows === "number" && rows <= maxRows;
    if (sizeBytes && !few) return false;
    if (includePending) return true;
    const pending = status !== undefined && status !== "ready" && status !== "failed";
    const young = createdAt !== undefined && now - Date.parse(createdAt) < YOUNG_MS;
    return !pending && !young;
  });
}
