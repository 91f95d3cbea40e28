import type { Example, Route, VersionScore } from "@while/platform-client/contract";

/** Newest score of every version on every behavior, by time. */
export interface AgentScores {
  behaviors: { name: string; versions: (VersionScore & { at: string })[] }[];
}

export const getScores = {
  id: "getScores",
  method: "GET",
  path: "/agents/{id}/scores",
  answerType: "application/json",
} as unknown as Route<null, AgentScores, null>;

export interface Flips {
  paired: number;
  unpairedBefore: number;
  unpairedAfter: number;
  bothPassed: number;
  bothFailed: number;
  fixed: number;
  broke: number;
  p: number | null;
  difference: {
    tasks: number;
    before: number;
    after: number;
    delta: number;
    ci95: [number, number] | null;
    p: number | null;
  } | null;
  rows: { before: Example; after: Example }[];
  nextCursor?: string | null;
}

export const getFlips = {
  id: "getFlips",
  method: "GET",
  path: "/runs/{id}/evals/{behavior}/flips",
  answerType: "application/json",
} as unknown as Route<null, Flips, { against: string; kind?: string; limit?: number; cursor?: string }>;
