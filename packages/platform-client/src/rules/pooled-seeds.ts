import { compareCodePoints, roundHalfEven } from "@while/schema";
import type { SeedPool } from "../contract/dashboard.ts";
import { instantOf, liveRuns, type ScoredRun } from "./newest-scores.ts";
import { roundPoints } from "./number-format.ts";

/** A score of one seed of a version. */
export interface SeedScore {
  seed: number;
  run: string;
  score: number;
  ci: number | null;
  n: number | null;
  testVersion: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** The seed that a run's record names. */
export function seedOf({ record }: Pick<ScoredRun, "record">): number | null {
  return record?.optimizer?.seed ?? null;
}

/**
 * Scores of one behavior by version and seed: the newest of each seed, on the test of the version's newest score.
 * Versions with one seed, or with runs that name none, are not among them.
 */
export function seedScores(runs: readonly ScoredRun[], behavior: string): Map<string, SeedScore[]> {
  const found = new Map<string, SeedScore[]>();
  for (const run of liveRuns(runs)) {
    const seed = seedOf(run);
    if (seed === null) continue;
    for (const one of run.evals ?? []) {
      if (one.behavior !== behavior || typeof one.score !== "number") continue;
      const { score, ci = null, n = null, testVersion = null } = one;
      const at = instantOf(one.createdAt ?? run.createdAt);
      const list = found.get(run.version) ?? [];
      list.push({ seed, run: run.id, score, ci, n, testVersion: testVersion || null, at });
      found.set(run.version, list);
    }
  }
  for (const [version, scores] of found) {
    scores.sort((a, b) => (a.at === b.at ? compareCodePoints(a.testVersion ?? "", b.testVersion ?? "") : b.at - a.at));
    const newest = new Map<number, SeedScore>();
    for (const score of scores) {
      if (score.testVersion === scores[0]!.testVersion && !newest.has(score.seed)) newest.set(score.seed, score);
    }
    if (newest.size > 1) found.set(version, [...newest.values()]);
    else found.delete(version);
  }
  return found;
}

/** What several seeds of one version say together: their mean, and how far a seed lies from it. */
export function pooledSeeds(scores: readonly SeedScore[]): SeedPool {
  const mean = scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, { score }) => sum + (score - mean) ** 2, 0);
  const sd = Math.sqrt(squares / (scores.length - 1));
  return { seeds: scores.length, mean: roundPoints(mean), sd: roundHalfEven(sd, 2) };
}
