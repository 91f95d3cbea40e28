import {
  getAgentScores,
  getBrief,
  getDashboard,
  getEvals,
  getExperiment,
  getRun,
  getVerdict,
  listAgents,
  listBehaviors,
  listFigures,
  listPromotions,
  listRuns,
  type RunRow,
} from "@while/platform-client/contract";
import { useEffect, useRef } from "react";
import { askAgain, useAnswer } from "../../api/use-answer.ts";

/** How often the page looks whether something happened, in milliseconds: often while runs report. */
const LOOK = { busy: 4000, quiet: 30_000 };
/** A run of which something was heard so lately is being worked on. */
const BUSY_MS = 10 * 60_000;

/** What may be another after something happened to the agent. */
const FOLLOWING = [
  ...[getDashboard, getAgentScores, getBrief, getEvals, getExperiment, getRun, getVerdict],
  ...[listAgents, listBehaviors, listFigures, listPromotions, listRuns],
];

/**
 * Looks at the one run that changed last, and asks for all that the page shows only when more came than points: an
 * agent of a thousand runs is not read again every few seconds. What is a point is told by the run's own events.
 */
export function usePulse(agent: string): void {
  const busy = useRef(true);
  const newest = useAnswer(listRuns, {
    query: { agent, sort: "updated", order: "desc", limit: 1 },
    every: () => (busy.current ? LOOK.busy : LOOK.quiet),
  });
  const run = newest.data?.runs[0];
  busy.current = run !== undefined && Date.now() - Date.parse(run.updatedAt) < BUSY_MS;
  const pulse = newest.data === undefined ? null : pulseOf(newest.data.total ?? 0, run);
  const before = useRef(pulse);
  useEffect(() => {
    const was = before.current;
    before.current = pulse;
    if (was !== null && pulse !== null && was !== pulse) void askAgain(...FOLLOWING);
  }, [pulse]);
}

/** What of a run changes the page: everything but its points. */
export function pulseOf(total: number, run: RunRow | undefined): string {
  if (run === undefined) return String(total);
  const { id, status, archived, notes, hours, costUsd, record, targets, method } = run;
  const scored = run.evals.map(({ behavior, createdAt, rows }) => [behavior, createdAt, rows]);
  return JSON.stringify([total, id, status, archived, notes, hours, costUsd, record, targets, method, scored]);
}
