import type { AgentVerdict } from "@while/platform-client/contract";
import { newestScores, pickBehavior, verdictOf } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import { factsOfAgent } from "./agent-facts.ts";
import type { AgentRow } from "./agents.ts";

/** Grows when the rules would say another thing of the same scores. */
const RULES_VERSION = 1;

interface Kept {
  rules: number;
  facts: number;
  verdict: AgentVerdict | null;
}

/** The verdict of each agent by its slug. Only agents of which something changed since the last list are looked at. */
export async function verdictsOf(db: Db, agents: readonly AgentRow[]): Promise<Map<string, AgentVerdict | null>> {
  const verdicts = new Map<string, AgentVerdict | null>();
  for (const agent of agents) {
    const kept = JSON.parse(agent.verdict ?? "null") as Kept | null;
    const current = kept !== null && kept.rules === RULES_VERSION && kept.facts === agent.facts;
    verdicts.set(agent.slug, current ? kept.verdict : await concluded(db, agent));
  }
  return verdicts;
}

async function concluded(db: Db, agent: AgentRow): Promise<AgentVerdict | null> {
  const verdict = await verdictNow(db, agent);
  const kept: Kept = { rules: RULES_VERSION, facts: agent.facts, verdict };
  await db
    .updateTable("agents")
    .set({ verdict: JSON.stringify(kept) })
    .where("account_id", "=", agent.account_id)
    .where("slug", "=", agent.slug)
    // A change while this was concluded is not in it: the next list concludes again.
    .where("facts", "=", agent.facts)
    .execute();
  return verdict;
}

async function verdictNow(db: Db, agent: AgentRow): Promise<AgentVerdict | null> {
  const { behaviors, runs } = await factsOfAgent(db, agent);
  const behavior = pickBehavior(behaviors, runs, null);
  if (behavior === null) return null;
  const versions = newestScores(runs, behavior.name);
  const { kind, candidate, gaps, text } = verdictOf({ behavior, serving: agent.serving, versions, behaviors, runs });
  const unproven = (kind === "beats" || kind === "trails") && gaps.length > 0;
  return { kind, behavior: behavior.name, candidate, unproven, text };
}
