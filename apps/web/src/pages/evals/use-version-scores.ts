import { listRuns, type VersionScore } from "@while/platform-client/contract";
import { newestScores } from "@while/platform-client/rules";
import { useMemo } from "react";
import { useAnswer } from "../../api/use-answer.ts";

/** Newest score of each version, by behavior and by time; undefined before the runs are there. */
export type VersionScores = ReadonlyMap<string, readonly VersionScore[]>;

export function useVersionScores(agent: string): VersionScores | undefined {
  const runs = useAnswer(listRuns, { query: { agent } }).data?.runs;
  return useMemo(() => {
    if (runs === undefined) return undefined;
    const behaviors = new Set(runs.flatMap(({ evals }) => evals.map(({ behavior }) => behavior)));
    return new Map(Array.from(behaviors, (behavior) => [behavior, newestScores(runs, behavior)]));
  }, [runs]);
}
