import type { VersionScore } from "../contract/dashboard.ts";
import type { RunRow } from "../contract/runs.ts";

/** What the rules read of a run. */
export type ScoredRun = Partial<RunRow> & Pick<RunRow, "id" | "version">;

/** A version's newest score with the instant it was made. */
export interface NewestScore extends VersionScore {
  /** Milliseconds since 1970; -Infinity where nobody said. */
  at: number;
}

/**
 * The newest score of every version on one behavior, oldest first, without archived runs. Of equal times the one that
 * comes first in `runs` counts.
 */
export function newestScores(runs: readonly ScoredRun[], behavior: string): NewestScore[] {
  const newest = new Map<string, NewestScore>();
  for (const run of runs) {
    if (run.archived === true) continue;
    for (const one of run.evals ?? []) {
      if (one.behavior !== behavior || typeof one.score !== "number") continue;
      const at = instantOf(one.createdAt ?? run.createdAt);
      const known = newest.get(run.version);
      if (known !== undefined && known.at >= at) continue;
      const { score, ci = null, n = null, testVersion = null } = one;
      newest.set(run.version, { v: run.version, score, ci, n, run: run.id, testVersion, at });
    }
  }
  return [...newest.values()].sort((a, b) => (a.at === b.at ? 0 : a.at - b.at));
}

/** Milliseconds of an ISO instant; -Infinity for none. */
export function instantOf(text: string | null | undefined): number {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}

/** Runs that are not archived. */
export function liveRuns<T extends { archived?: boolean }>(runs: readonly T[]): T[] {
  return runs.filter(({ archived }) => archived !== true);
}
