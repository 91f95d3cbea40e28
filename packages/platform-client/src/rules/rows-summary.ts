import { compareCodePoints, roundHalfEven } from "@while/schema";
import { wilsonInterval } from "@while/stats";
import type { RowsSummary, TagCount } from "../contract/rows.ts";
import type { Example } from "../contract/scores.ts";

/** Value of rows that do not have a tag which others have. */
export const NO_TAG = "(none)";

/** Reasons that are named one by one. */
export const WHYS_MAX = 12;

/** A row as it is counted, or several of the same kind. */
export interface CountedRow extends Pick<Example, "ok" | "tags" | "why"> {
  /** How many there are; 1 by default. */
  times?: number;
}

/** Counts of graded rows, by the value of each tag with Wilson's interval, and by why they failed; most failures first. */
export function rowsSummary(rows: readonly CountedRow[]): Omit<RowsSummary, "scores"> {
  const keys = [...new Set(rows.flatMap(({ tags }) => Object.keys(tags ?? {})))].sort(compareCodePoints);
  const count = (some: readonly CountedRow[]) => some.reduce((sum, { times = 1 }) => sum + times, 0);
  const n = count(rows);
  const passed = count(rows.filter(({ ok }) => ok));
  const byTag = Object.fromEntries(keys.map((key) => [key, countsOf(rows, key)]));
  return { n, passed, failed: n - passed, byTag, ...reasonsOf(rows) };
}

function reasonsOf(rows: readonly CountedRow[]): Pick<RowsSummary, "byWhy" | "whyOther"> {
  const counts = new Map<string, number>();
  let failed = 0;
  for (const { ok, why, times = 1 } of rows) {
    if (ok) continue;
    failed += times;
    if (why) counts.set(why, (counts.get(why) ?? 0) + times);
  }
  const sorted = Array.from(counts, ([why, n]) => ({ why, n })).sort(
    (a, b) => b.n - a.n || compareCodePoints(a.why, b.why),
  );
  const byWhy = sorted.slice(0, WHYS_MAX);
  return { byWhy, whyOther: failed - byWhy.reduce((sum, { n }) => sum + n, 0) };
}

function countsOf(rows: readonly CountedRow[], key: string): Record<string, TagCount> {
  const counts = new Map<string, { n: number; passed: number }>();
  for (const { ok, tags, times = 1 } of rows) {
    const value = tags?.[key] ?? NO_TAG;
    const known = counts.get(value) ?? { n: 0, passed: 0 };
    counts.set(value, { n: known.n + times, passed: known.passed + times * Number(ok) });
  }
  const failures = ({ n, passed }: { n: number; passed: number }) => n - passed;
  const sorted = [...counts].sort(([a, x], [b, y]) => failures(y) - failures(x) || compareCodePoints(a, b));
  return Object.fromEntries(
    sorted.map(([value, { n, passed }]) => {
      const [low, high] = wilsonInterval(passed, n)!;
      return [value, { n, passed, lo: roundHalfEven(low, 4), hi: roundHalfEven(high, 4) }];
    }),
  );
}
