import type { Behavior, Dashboard, RunRow, TrackedInfo, Verdict, VersionScore } from "@while/platform-client/contract";

/** What the parts of the page read: one agent, one behavior, one candidate. */
export interface Report {
  agent: TrackedInfo;
  dashboard: Dashboard;
  /** Of the chosen candidate, or of the newest. */
  verdict: Verdict;
  behavior: Behavior | null;
  behaviors: readonly Behavior[];
  /** The newest runs that are not archived, at most `RUNS_READ`. */
  runs: readonly RunRow[];
  /** Every behavior's newest score per version; null where the platform does not tell them together. */
  scores: readonly { name: string; versions: readonly (VersionScore & { at: string })[] }[] | null;
  serving: string | null;
  candidate: string | null;
}

/** Runs that are read at once for the parts above the table; the table itself pages. */
export const RUNS_READ = 200;

/** The run behind a version's newest score, where it is among those that were read. */
export function runOfVersion(
  { runs }: Pick<Report, "runs">,
  score: Pick<VersionScore, "v" | "run">,
): RunRow | undefined {
  return runs.find(({ id }) => id === score.run) ?? runs.find(({ version }) => version === score.v);
}
