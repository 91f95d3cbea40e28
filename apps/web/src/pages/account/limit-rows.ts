import type { Account } from "@while/platform-client/contract";
import { bytes, time, whole } from "../../numbers.ts";

/** From this share of a limit on it stands in colour: the share at which the platform gives notice. */
export const NEAR = 0.8;

export interface LimitRow {
  name: string;
  /** "137 MB of 5 GB", or without a limit the amount alone. */
  amount: string;
  /** Used of allowed; null where nothing limits it. */
  share: number | null;
  near: boolean;
  /** When it begins again; null where it does not. */
  resets: string | null;
}

/** What is used of what is allowed, what stops first on top. What is not counted is left out. */
export function limitRows({ usage, limits, resetsAt }: Pick<Account, "usage" | "limits" | "resetsAt">): LimitRow[] {
  const daily = `resets ${time(resetsAt)}`;
  const rows: (LimitRow | null)[] = [
    rowOf("Storage", usage.storageBytes, limits.storageBytes, bytes, null),
    rowOf("Datasets", usage.datasets, limits.datasets, whole, null),
    rowOf("Rows", usage.rows, limits.rows, whole, null),
    rowOf("Input tokens today", usage.inputTokens, limits.dailyInputTokens, whole, daily),
    rowOf("Output tokens today", usage.outputTokens, limits.dailyOutputTokens, whole, daily),
  ];
  return rows.filter((row) => row !== null).sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
}

function rowOf(
  name: string,
  used: number | null,
  limit: number | null,
  format: (value: number) => string,
  resets: string | null,
): LimitRow | null {
  if (used === null) return null;
  if (limit === null) return { name, amount: format(used), share: null, near: false, resets: null };
  // A limit of nothing is used up.
  const share = limit === 0 ? 1 : used / limit;
  return { name, amount: `${format(used)} of ${format(limit)}`, share, near: share >= NEAR, resets };
}
