import type { RunRow, StoredScore } from "@while/platform-client/contract";

export interface RowsPlace {
  run: string;
  behavior: string;
}

export interface NewestOptions {
  /** Only rows of this behavior. */
  behavior: string | undefined;
  candidate: string | null | undefined;
}

/**
 * Where the rows are that a person wants to see: of the candidate's newest run that has some, else of the newest run
 * that has. Archived runs do not count. Null where none has.
 */
export function newestWithRows(runs: readonly RunRow[], { behavior, candidate }: NewestOptions): RowsPlace | null {
  return newestOf(runs, { behavior, candidate }, ({ rows }) => (rows ?? 0) > 0);
}

/** The same of runs with a sample, for when no run has all of its rows. */
export function newestWithSample(runs: readonly RunRow[], options: NewestOptions): RowsPlace | null {
  return newestOf(runs, options, ({ examples }) => (examples ?? []).length > 0);
}

function newestOf(
  runs: readonly RunRow[],
  { behavior, candidate }: NewestOptions,
  has: (score: StoredScore) => boolean,
): RowsPlace | null {
  const newestFirst = runs
    .filter(({ archived }) => !archived)
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const ofCandidate = newestFirst.filter(({ version }) => version === candidate);
  for (const run of [...ofCandidate, ...newestFirst]) {
    const found = run.evals.filter((score) => has(score) && (behavior === undefined || score.behavior === behavior));
    // What the run claims to move comes before what it was also scored on.
    const chosen = found.find((score) => run.targets.includes(score.behavior)) ?? found[0];
    if (chosen !== undefined) return { run: run.id, behavior: chosen.behavior };
  }
  return null;
}
