import type { Behavior, Verdict } from "@while/platform-client/contract";
import { newestScores, pickBehavior, type ScoredRun, verdictOf } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import type { NewestScoreTable, RunTable } from "../db/tables.ts";
import { type Caller, checkAgent } from "../http/caller.ts";
import { type AgentRow, getAgent } from "./agents.ts";
import { listBehaviors } from "./behaviors.ts";
import { newestRun, newestScoresOf, runsOfScores, seedScoresOf } from "./newest-scores.ts";

/** What the rules of verdict, deltas and evals read of an agent: kept when it is written, so that no run is read here. */
export interface AgentFacts {
  agent: AgentRow;
  behaviors: Behavior[];
  scores: NewestScoreTable[];
  newest: RunTable | undefined;
  /** Newest first. */
  runs: ScoredRun[];
}

/** @throws HttpError `not_found` for an agent that is not there or that the key may not touch */
export async function factsOf(db: Db, caller: Caller, id: string): Promise<AgentFacts> {
  checkAgent(caller, id);
  return factsOfAgent(db, await getAgent(db, caller.accountId, id));
}

/** The same of an agent that is at hand. */
export async function factsOfAgent(db: Db, agent: AgentRow): Promise<AgentFacts> {
  const { account_id, slug } = agent;
  const [behaviors, scores, seeds, newest] = await Promise.all([
    listBehaviors(db, account_id, slug),
    newestScoresOf(db, account_id, slug),
    seedScoresOf(db, account_id, slug),
    newestRun(db, account_id, slug),
  ]);
  return { agent, behaviors, scores, newest, runs: runsOfScores([...scores, ...seeds], newest) };
}

/** The verdict on a version, on the behavior of that name or the one that its page begins with; null without a score there. */
export function verdictOn(
  { agent, behaviors, runs }: AgentFacts,
  version: string,
  behavior: string | null,
): Verdict | null {
  const looked = pickBehavior(behaviors, runs, behavior);
  if (looked === null) return null;
  const versions = newestScores(runs, looked.name);
  if (!versions.some(({ v }) => v === version)) return null;
  return verdictOf({ behavior: looked, serving: agent.serving, versions, behaviors, runs, version });
}
