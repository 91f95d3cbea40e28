import { compareCodePoints, roundHalfEven } from "@while/schema";
import { wilsonInterval } from "@while/stats";
import type { RowsSummary, TagCount } from "../contract/rows.ts";
import type { Example } from "../contract/scores.ts";

/** Value of rows that do not have a tag which others have. */
export const NO_TAG = "(none)";

/** Counts of graded rows, and by the value of each tag with Wilson's interval; most failures first. */
export function rowsSummary(rows: readonly Pick<Example, "ok" | "tags">[]): RowsSummary {
  const keys = [...new Set(rows.flatMap(({ tags }) => Object.keys(tags ?? {})))].sort(compareCodePoints);
  const passed = rows.filter(({ ok }) => ok).length;
  const byTag = Object.fromEntries(keys.map((key) => [key, countsOf(rows, key)]));
  return { n: rows.length, passed, failed: rows.length - passed, byTag };
}

function countsOf(rows: readonly Pick<Example, "ok" | "tags">[], key: string): Record<string, TagCount> {
  const counts = new Map<string, { n: number; passed: number }>();
  for (const { ok, tags } of rows) {
    const value = tags?.[key] ?? NO_TAG;
    const known = counts.get(value) ?? { n: 0, passed: 0 };
    counts.set(value, { n: known.n + 1, passed: known.passed + Number(ok) });
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
