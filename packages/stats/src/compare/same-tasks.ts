import { mantelHaenszel } from "../proportions/mantel-haenszel.ts";
import { stratifiedExactTest, type TaskCounts } from "../proportions/stratified-exact-test.ts";
import type { PassCount } from "./run-table.ts";

/** Did these very tasks change, whatever others would do? */
export interface SameTasks {
  pValue: number;
  /** With half of what is exactly as far; null by the normal law. */
  midP: number | null;
  method: "exact" | "normal";
  /** Tasks that could have differed. */
  nInformative: number;
}

/** Passes that could lie either way, up to which the test is exact: 60 ms. */
const MAX_EXACT = 4000;

/**
 * The other question about two runs. An interval over tasks answers for new tasks like these, and pays for how they differ
 * from each other; whoever has one fixed suite asks of these tasks alone, where only rollouts are drawn. One rollout a task:
 * McNemar's test. Exact conditional on what each task passed in both runs together (`stratifiedExactTest`), beyond 4,000
 * rollouts by the normal law (`mantelHaenszel`).
 *
 * @param tasks Shared tasks with their counts in both runs
 * @returns null without a task
 */
export function sameTasks(tasks: readonly (readonly [before: PassCount, after: PassCount])[]): SameTasks | null {
  if (tasks.length === 0) return null;
  const open = tasks.reduce((total, [before, after]) => total + Math.min(before.n, after.n, freedom(before, after)), 0);
  if (open <= MAX_EXACT) {
    const counts = tasks.map(([a, b]): TaskCounts => [a.passes, a.n, b.passes, b.n]);
    const { pExact, pMid, nInformative } = stratifiedExactTest(counts);
    return { pValue: pExact, midP: pMid, method: "exact", nInformative };
  }
  const strata = tasks.map(
    ([a, b]) =>
      [
        { successes: a.passes, n: a.n },
        { successes: b.passes, n: b.n },
      ] as const,
  );
  const test = mantelHaenszel(strata);
  if (test === null) return null;
  return { pValue: test.pValue, midP: null, method: "normal", nInformative: test.nInformative };
}

/** Passes, or failures where they are fewer: none where all rollouts of a task agree. */
function freedom(before: PassCount, after: PassCount): number {
  const passes = before.passes + after.passes;
  return Math.min(passes, before.n + after.n - passes);
}
