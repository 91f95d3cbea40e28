import { compareRuns } from "@while/stats";
import type { RowDifference } from "../contract/rows.ts";
import type { KeyedRow } from "./row-flips.ts";

/**
 * How far two versions are apart on the tasks that both answered, in points: each task is compared with itself, so what
 * makes tasks unlike one another does not blur the difference, as it does in two intervals of their own. The mean over
 * tasks, its interval and its sign-flip test are those of `compareRuns` in `@while/stats`.
 *
 * @returns null where fewer than two tasks are shared: nothing can be said of a spread then
 */
export function rowDifference(before: readonly KeyedRow[], after: readonly KeyedRow[]): RowDifference | null {
  const rows = (side: readonly KeyedRow[]) => side.map(({ key, ok }) => ({ scenario_id: key, reward: ok ? 1 : 0 }));
  const known = new Set(before.map(({ key }) => key));
  const shared = new Set(after.map(({ key }) => key).filter((key) => known.has(key)));
  if (shared.size < MIN_TASKS) return null;
  const both = (side: readonly KeyedRow[]) => side.filter(({ key }) => shared.has(key));
  const found = compareRuns(rows(both(before)), rows(both(after)), { minPaired: MIN_TASKS });
  const points = (share: number | null) => (share === null ? null : 100 * share);
  return {
    tasks: found.nPaired,
    before: points(found.meanA),
    after: points(found.meanB),
    delta: points(found.delta),
    ci95: found.ci95 === null ? null : [100 * found.ci95[0], 100 * found.ci95[1]],
    p: found.midP ?? found.pValue,
    verdict: found.verdict,
  };
}

const MIN_TASKS = 2;
