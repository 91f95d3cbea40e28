import type { Example, RunRow, StoredScore } from "@while/platform-client/contract";

/** The score of a behavior that counts on a run: the newest. */
export function scoreOf(run: Pick<RunRow, "evals">, behavior: string): StoredScore | null {
  const scores = run.evals.filter((one) => one.behavior === behavior);
  return scores.reduce<StoredScore | null>(
    (newest, one) => (newest === null || Date.parse(one.createdAt) >= Date.parse(newest.createdAt) ? one : newest),
    null,
  );
}

/** The sample of a score with the failures first, in their order. */
export function failuresFirst(examples: readonly Example[]): Example[] {
  return [...examples.filter(({ ok }) => !ok), ...examples.filter(({ ok }) => ok)];
}
