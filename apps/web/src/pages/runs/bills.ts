import type { RunRow } from "@while/platform-client/contract";

/** What training one version cost, over its runs. */
export interface Bill {
  version: string;
  runs: number;
  /** Null when none of the runs posted a bill. */
  total: number | null;
  unposted: number;
}

/** Versions whose bills are listed. */
const MOST = 10;

/** The bills of what was trained, newest version first; what only evaluated has none. */
export function billsOf(runs: readonly RunRow[]): Bill[] {
  const bills = new Map<string, Bill>();
  for (const { version, costUsd, method } of runs) {
    if ((!method || method === "eval" || method === "none") && costUsd == null) continue;
    const bill = bills.get(version) ?? { version, runs: 0, total: null, unposted: 0 };
    bill.runs += 1;
    if (costUsd == null) bill.unposted += 1;
    else bill.total = (bill.total ?? 0) + costUsd;
    bills.set(version, bill);
  }
  return [...bills.values()].slice(0, MOST);
}
