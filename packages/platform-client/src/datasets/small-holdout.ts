import { formatPercent, groupByTask, type Row } from "@while/schema";
import { holdoutSize, StatsError } from "@while/stats";
import type { PlatformWarning } from "../transport/warning.ts";

/**
 * Is a holdout too small to show a gain of `effect`? It would read a real one as no change.
 *
 * @returns null when it is large enough, or has no task
 */
export function smallHoldout(rows: readonly Row[], effect: number): PlatformWarning | null {
  const { groups } = groupByTask(rows);
  if (groups.size === 0) return null;
  const k = Math.min(...Array.from(groups.values(), (group) => group.length));
  const need = sizeFor(rows, effect, k);
  if (groups.size >= need) return null;
  const gain = formatPercent(effect);
  return {
    code: "small_holdout",
    message: `the holdout has ${groups.size} tasks of ${k} rollouts; to show a gain of ${gain} with 80% power takes ${need}. A smaller set reads a real gain of that size as no_change_detected.`,
  };
}

/** By the rows; where they cannot tell, by their number of rollouts. */
function sizeFor(rows: readonly Row[], effect: number, k: number): number {
  try {
    return holdoutSize(effect, { before: rows }).nTasks;
  } catch (error) {
    if (!(error instanceof StatsError)) throw error;
    return holdoutSize(effect, { k }).nTasks;
  }
}
