import {
  type Dashboard,
  getAgentScores,
  getBrief,
  getCurve,
  getDashboard,
  getEvals,
  getPriceBook,
  getVerdict,
  type LiveDay,
  type TrainCurve,
} from "@while/platform-client/contract";
import {
  briefOf,
  candidateVersion,
  curveOfColumns,
  dashboardOf,
  evalHealth,
  newestScores,
  PRICE_BOOK,
  pooledSeeds,
  resolveVerdict,
  seedScores,
} from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import type { NewestScoreTable, RunTable } from "../db/tables.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { type AgentFacts, factsOf } from "../queries/agent-facts.ts";
import { type AgentRow, agentWire } from "../queries/agents.ts";
import { runRowsOf, runWire } from "../queries/runs.ts";
import { CurveCache } from "../runs/curve-cache.ts";
import { visibleRun } from "./runs.ts";

/** Lines of traffic that a page may need: it shows 90, each a day of one version. */
const LIVE_LINES_MAX = 400;

async function daysOf(db: Db, accountId: string, slug: string): Promise<LiveDay[]> {
  const rows = await db
    .selectFrom("live_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .orderBy("day", "desc")
    .orderBy("version", "desc")
    .limit(LIVE_LINES_MAX)
    .execute();
  return rows.reverse().map(({ day, version, replies, flagged, p50s, cost_usd }) => ({
    day,
    version,
    replies,
    flagged,
    p50s,
    costUsd: cost_usd,
  }));
}

/** The newest run of an agent with points, of one version or of any. */
function newestWithPoints(db: Db, { account_id, slug }: AgentRow, version: string | null) {
  let query = db
    .selectFrom("runs")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("slug", "=", slug)
    .where("archived", "=", 0)
    .where((e) => e.exists(e.selectFrom("run_points").select("step").whereRef("run_points.run_uid", "=", "runs.uid")));
  if (version !== null) query = query.where("version", "=", version);
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(1).executeTakeFirst();
}

/** The candidate's run if it has points, else the newest run that has. */
async function trainedRun(db: Db, { agent, runs }: AgentFacts): Promise<RunTable | undefined> {
  const candidate = candidateVersion(runs, agent.serving);
  return (
    (candidate === null ? undefined : await newestWithPoints(db, agent, candidate)) ??
    (await newestWithPoints(db, agent, null))
  );
}

type CurveOf = (run: RunTable) => TrainCurve | Promise<TrainCurve>;

/** Whose curve it is, without a point of it. */
const withoutPoints: CurveOf = (run) => curveOfColumns(runWire(run), { steps: [], series: new Map() });

async function dashboard(
  db: Db,
  curve: CurveOf | null,
  facts: AgentFacts,
  behavior: string | null,
): Promise<Dashboard> {
  if (behavior !== null && !facts.behaviors.some(({ name }) => name === behavior)) {
    throw notFound(`behavior ${behavior} of ${facts.agent.id}`, "List them with GET /agents/{id}/behaviors.");
  }
  const [days, train] = await Promise.all([
    daysOf(db, facts.agent.account_id, facts.agent.slug),
    curve === null ? null : trainedRun(db, facts).then((run) => (run === undefined ? null : curve(run))),
  ]);
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
  const curves = new CurveCache();

  mount(mounting, getDashboard, async ({ services, caller, params, query }) => {
    const facts = await factsOf(services.db, caller, params.id as string);
    const curve: CurveOf = query.train === false ? withoutPoints : (run) => curves.of(services.db, run);
    return dashboard(services.db, curve, facts, query.behavior ?? null);
  });

  mount(mounting, getAgentScores, async ({ services, caller, params }) => {
    const { behaviors, scores, runs } = await factsOf(services.db, caller, params.id as string);
    return {
      behaviors: behaviors.map(({ name }) => {
        const pools = seedScores(runs, name);
        const versions = scores.filter(({ behavior }) => behavior === name);
        return {
          name,
          versions: versions.map((row) => {
            const seeds = pools.get(row.version);
            return seeds === undefined ? versionWire(row) : { ...versionWire(row), pooled: pooledSeeds(seeds) };
          }),
        };
      }),
    };
  });

  mount(mounting, getCurve, async ({ services, caller, params, query }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    const { points, from, to, scale, series: wanted } = query;
    const curve = await curves.of(services.db, run, {
      ...{ from: from ?? null, to: to ?? null },
      ...(points == null ? {} : { maxPoints: points }),
      ...(scale == null ? {} : { scale }),
    });
    if (wanted == null) return curve;
    const names = new Set([wanted].flat());
    return { ...curve, series: Object.fromEntries(Object.entries(curve.series).filter(([name]) => names.has(name))) };
  });

  mount(mounting, getVerdict, async ({ services, caller, params, query }) => {
    const facts = await factsOf(services.db, caller, params.id as string);
    const page = await dashboard(services.db, null, facts, query.behavior ?? null);
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
    const page = await dashboard(services.db, null, facts, query.behavior ?? null);
    const url = `${origin}/platform/runs?agent=${encodeURIComponent(facts.agent.id)}`;
    // What a person cannot read yet is a question to every run: what changed in it, what its record holds.
    const runs = await runRowsOf(services.db, caller.accountId, facts.agent.slug);
    return briefOf(agentWire(facts.agent), facts.behaviors, runs, { url, dashboard: page });
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

function versionWire({ version, score, ci, n, run_id, test_version, scored_at }: NewestScoreTable) {
  return {
    v: version,
    score,
    ci,
    n,
    run: run_id,
    testVersion: test_version === "" ? null : test_version,
    at: scored_at,
  };
}
