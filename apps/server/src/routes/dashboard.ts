import {
  type Behavior,
  type Dashboard,
  getBrief,
  getDashboard,
  getEvals,
  getPriceBook,
  getVerdict,
  type LiveDay,
  type RunRow,
  type TrainCurve,
} from "@while/platform-client/contract";
import {
  briefOf,
  candidateVersion,
  dashboardOf,
  evalHealth,
  liveRuns,
  newestScores,
  PRICE_BOOK,
  resolveVerdict,
  trainCurve,
} from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import { type Caller, checkAgent } from "../http/caller.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { type AgentRow, agentWire, getAgent } from "../queries/agents.ts";
import { listBehaviors } from "../queries/behaviors.ts";
import { pointsOf, pointWire } from "../queries/points.ts";
import { getRun, runRowsOf } from "../queries/runs.ts";

/** Everything that the rules read of an agent. */
interface AgentFacts {
  agent: AgentRow;
  behaviors: Behavior[];
  /** Newest first. */
  runs: RunRow[];
}

async function factsOf(db: Db, caller: Caller, id: string): Promise<AgentFacts> {
  checkAgent(caller, id);
  const agent = await getAgent(db, caller.accountId, id);
  const [behaviors, runs] = await Promise.all([
    listBehaviors(db, caller.accountId, agent.slug),
    runRowsOf(db, caller.accountId, agent.slug),
  ]);
  return { agent, behaviors, runs };
}

async function daysOf(db: Db, accountId: string, slug: string): Promise<LiveDay[]> {
  const rows = await db
    .selectFrom("live_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .orderBy("day")
    .orderBy("version")
    .execute();
  return rows.map(({ day, version, replies, flagged, p50s, cost_usd }) => ({
    day,
    version,
    replies,
    flagged,
    p50s,
    costUsd: cost_usd,
  }));
}

/** Curve of the candidate's run if it has points, else of the newest run that has. */
async function curveOf(db: Db, caller: Caller, { agent, runs }: AgentFacts): Promise<TrainCurve | null> {
  const live = liveRuns(runs);
  if (live.length === 0) return null;
  const withPoints = await db
    .selectFrom("runs")
    .select("id")
    .where("account_id", "=", caller.accountId)
    .where("slug", "=", agent.slug)
    .where("archived", "=", 0)
    .where((e) => e.exists(e.selectFrom("run_points").select("step").whereRef("run_points.run_uid", "=", "runs.uid")))
    .execute();
  const having = new Set(withPoints.map(({ id }) => id));
  const candidate = candidateVersion(runs, agent.serving);
  const run =
    live.find(({ id, version }) => version === candidate && having.has(id)) ?? live.find(({ id }) => having.has(id));
  if (run === undefined) return null;
  const { uid } = await getRun(db, caller.accountId, run.id);
  return trainCurve(run, (await pointsOf(db, uid)).map(pointWire));
}

async function dashboard(db: Db, caller: Caller, facts: AgentFacts, behavior: string | null): Promise<Dashboard> {
  if (behavior !== null && !facts.behaviors.some(({ name }) => name === behavior)) {
    throw notFound(`behavior ${behavior} of ${facts.agent.id}`, "List them with GET /agents/{id}/behaviors.");
  }
  const [days, train] = await Promise.all([daysOf(db, caller.accountId, facts.agent.slug), curveOf(db, caller, facts)]);
  return dashboardOf({
    agent: agentWire(facts.agent),
    behaviors: facts.behaviors,
    runs: facts.runs,
    days,
    train,
    behavior,
  });
}

/** What a person decides by: the server computes it by the rules that client and pages compute it by. */
export function dashboardRoutes(mounting: Mounting): void {
  mount(mounting, getDashboard, async ({ services, caller, params, query }) => {
    const facts = await factsOf(services.db, caller, params.id as string);
    return dashboard(services.db, caller, facts, query.behavior ?? null);
  });

  mount(mounting, getVerdict, async ({ services, caller, params, query }) => {
    const facts = await factsOf(services.db, caller, params.id as string);
    const page = await dashboard(services.db, caller, facts, query.behavior ?? null);
    const version = query.version ?? null;
    if (version !== null && !page.versions.some(({ v }) => v === version)) {
      const scored = page.versions.map(({ v }) => v).join(", ");
      throw new HttpError(
        "not_found",
        `No score of ${version} on ${page.behavior?.name ?? "any behavior"}. Scored there: ${scored || "none"}.`,
      );
    }
    return resolveVerdict(page, facts.behaviors, facts.runs, version === null ? {} : { version });
  });

  mount(mounting, getBrief, async ({ services, caller, params, query, origin }) => {
    const facts = await factsOf(services.db, caller, params.id as string);
    const page = await dashboard(services.db, caller, facts, query.behavior ?? null);
    const url = `${origin}/platform/runs?agent=${encodeURIComponent(facts.agent.id)}`;
    return briefOf(agentWire(facts.agent), facts.behaviors, facts.runs, { url, dashboard: page });
  });

  mount(mounting, getEvals, async ({ services, caller, params }) => {
    const { agent, behaviors, runs } = await factsOf(services.db, caller, params.id as string);
    return {
      evals: behaviors.map((behavior) =>
        evalHealth(behavior, newestScores(runs, behavior.name), { serving: agent.serving }),
      ),
    };
  });

  mountOpen(mounting, getPriceBook, async () => PRICE_BOOK);
}
