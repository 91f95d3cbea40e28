import type { Row } from "@while/schema";
import { binaryReward } from "@while/stats";
import { isTrustedRow } from "./gold.ts";

/** Where some gold may be measured against and some may not, the one that may not takes no part. */
export function countedRows(
  rows: readonly Row[],
  { gold, allowModelGold }: { gold: string; allowModelGold: boolean },
): { own: readonly Row[]; nUntrusted: number } {
  if (allowModelGold) return { own: rows, nUntrusted: 0 };
  const withGold = rows.filter((row) => binaryReward(row, gold) !== null);
  const untrusted = new Set(withGold.filter((row) => !isTrustedRow(row, gold)));
  if (untrusted.size === 0 || untrusted.size === withGold.length) return { own: rows, nUntrusted: 0 };
  return { own: rows.filter((row) => !untrusted.has(row)), nUntrusted: untrusted.size };
}
