import { getAgentScores, type VersionScore } from "@while/platform-client/contract";
import { useMemo } from "react";
import { useAnswer } from "../../api/use-answer.ts";

/** Newest score of each version, by behavior and by time; undefined before they are there. */
export type VersionScores = ReadonlyMap<string, readonly VersionScore[]>;

export function useVersionScores(agent: string): VersionScores | undefined {
  const { data } = useAnswer(getAgentScores, { params: { id: agent } });
  return useMemo(() => data && new Map(data.behaviors.map(({ name, versions }) => [name, versions] as const)), [data]);
}
