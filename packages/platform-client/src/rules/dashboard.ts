import type { TrackedInfo } from "../contract/agents.ts";
import type { Behavior } from "../contract/behaviors.ts";
import type { Dashboard, TrainCurve } from "../contract/dashboard.ts";
import type { LiveDay } from "../contract/live.ts";
import { deltasOf } from "./deltas.ts";
import type { Rules } from "./difference.ts";
import { liveSeries } from "./live-series.ts";
import { liveRuns, newestScores, type ScoredRun } from "./newest-scores.ts";
import { noVerdict } from "./no-verdict.ts";
import { pooledSeeds, type SeedScore, seedScores } from "./pooled-seeds.ts";
import { verdictOf } from "./verdict.ts";

export interface DashboardInput {
  agent: TrackedInfo;
  behaviors: readonly Behavior[];
  /** Newest first. */
  runs: readonly ScoredRun[];
  days: readonly LiveDay[];
  /** Curve of the candidate's run if it has points, else of the newest that has. */
  train: TrainCurve | null;
  /** Behavior by name; by default the one that the newest run claims to move. */
  behavior?: string | null;
  rules?: Rules;
}

/** The Runs page as data, from what is stored. An unknown `behavior` gives none: the caller refuses it. */
export function dashboardOf({
  agent,
  behaviors,
  runs,
  days,
  train,
  behavior: wanted = null,
  rules = "strict",
}: DashboardInput): Dashboard {
  const serving = agent.serving ?? null;
  const behavior = pickBehavior(behaviors, runs, wanted);
  const candidate = candidateVersion(runs, serving);
  const versions = behavior === null ? [] : newestScores(runs, behavior.name);
  const pools = behavior === null ? new Map<string, SeedScore[]>() : seedScores(runs, behavior.name);
  return {
    agent: { ...agent, candidate },
    behavior,
    behaviors: behaviors.map(({ name }) => name),
    versions: versions.map(({ at, ...version }) => {
      const seeds = pools.get(version.v);
      return seeds === undefined ? version : { ...version, pooled: pooledSeeds(seeds) };
    }),
    train,
    deltas: deltasOf(behaviors, runs, { candidate, serving, rules }),
    live: liveSeries(days, serving),
    verdict:
      behavior === null
        ? noVerdict(serving, rules)
        : verdictOf({ behavior, serving, versions, behaviors, runs, rules }),
  };
}

/** The behavior asked for, else the first target of the newest run that is declared, else the first declared one. */
export function pickBehavior(
  behaviors: readonly Behavior[],
  runs: readonly ScoredRun[],
  wanted: string | null,
): Behavior | null {
  const named = (name: string) => behaviors.find((behavior) => behavior.name === name);
  if (wanted !== null) return named(wanted) ?? null;
  const target = (liveRuns(runs)[0]?.targets ?? []).map(named).find((behavior) => behavior !== undefined);
  return target ?? behaviors[0] ?? null;
}

/** Version of the newest run that is not archived; null when that is the served one. */
export function candidateVersion(runs: readonly ScoredRun[], serving: string | null): string | null {
  const newest = liveRuns(runs)[0]?.version ?? null;
  return newest === serving ? null : newest;
}
