import type { Example, Promoted, Route } from "@while/platform-client/contract";

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

export const rollBack = {
  id: "rollBack",
  method: "POST",
  path: "/agents/{id}/rollback",
  answerType: "application/json",
} as unknown as Route<{ reason?: string }, Promoted, null>;
