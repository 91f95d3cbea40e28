import type { RunRow } from "@while/platform-client/contract";

/** Another run whose rows can be held against these. */
export interface ComparableRun {
  run: string;
  version: string;
}

/** Runs that have rows of a behavior, beside the one that is looked at: the served version first, then the newest. */
export function comparableRuns(
  runs: readonly RunRow[],
  { run, behavior, serving }: { run: string; behavior: string; serving: string | null | undefined },
): ComparableRun[] {
  return runs
    .filter(({ id, archived, evals }) => {
      const hasRows = evals.some((score) => score.behavior === behavior && (score.rows ?? 0) > 0);
      return id !== run && !archived && hasRows;
    })
    .sort(
      (a, b) =>
        Number(b.version === serving) - Number(a.version === serving) ||
        Date.parse(b.createdAt) - Date.parse(a.createdAt),
    )
    .map(({ id, version }) => ({ run: id, version }));
}
