import {
  deleteAgent,
  isTrackAgent,
  listAgents as listAgentsRoute,
  listPromotions,
  type Promotion,
  promote,
  purgeAgent,
  type RegisterAgent,
  rollback,
  type TrackAgent,
  upsertAgent,
} from "@while/platform-client/contract";
import { slug } from "@while/platform-client/rules";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import type { AgentTable } from "../db/tables.ts";
import { checkAgent } from "../http/caller.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { factsOf, verdictOn } from "../queries/agent-facts.ts";
import { factsChanged } from "../queries/agent-facts-changed.ts";
import { verdictsOf } from "../queries/agent-verdicts.ts";
import { type AgentRow, agentWire, getAgent, listAgents, slugOfAgent } from "../queries/agents.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

/** What came of an agent, as columns: absent stays, null clears. */
function given(body: TrackAgent | RegisterAgent): Partial<AgentTable> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  if (isTrackAgent(body)) {
    return {
      name: body.name,
      ...(body.model === undefined ? {} : { model: body.model }),
      ...(body.harness === undefined ? {} : { harness: json(body.harness) }),
      ...(body.frontier === undefined ? {} : { frontier: json(body.frontier) }),
    };
  }
  return {
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.tools === undefined ? {} : { tools: json(body.tools) }),
    ...(body.system_prompt === undefined ? {} : { system_prompt: body.system_prompt }),
  };
}

export function agentRoutes(mounting: Mounting): void {
  mount(mounting, upsertAgent, async ({ services, caller, body }) => {
    const { db, now } = services;
    const id = isTrackAgent(body) ? body.id : slug(body.name);
    checkAgent(caller, id);
    const at = isoTime(now());
    const fresh: AgentTable = {
      account_id: caller.accountId,
      slug: id.toLowerCase(),
      id,
      name: body.name,
      model: null,
      harness: null,
      serving: null,
      frontier: null,
      description: null,
      tools: null,
      system_prompt: null,
      created_at: at,
      last_activity_at: at,
      facts: 0,
      verdict: null,
      ...given(body),
    };
    await db
      .insertInto("agents")
      .values(fresh)
      .onConflict((conflict) =>
        conflict.columns(["account_id", "slug"]).doUpdateSet({ ...given(body), last_activity_at: at }),
      )
      .execute();
    return agentWire(await getAgent(db, caller.accountId, id));
  });

  mount(mounting, listAgentsRoute, async ({ services, caller }) => {
    const rows = (await listAgents(services.db, caller.accountId)).filter(
      ({ slug: own }) => caller.agents === null || caller.agents.includes(own),
    );
    const verdicts = await verdictsOf(services.db, rows);
    return { agents: rows.map((row) => ({ ...agentWire(row), verdict: verdicts.get(row.slug) ?? null })) };
  });

  mount(mounting, deleteAgent, async ({ services, caller, params }) => {
    checkAgent(caller, params.id as string);
    const own = await slugOfAgent(services.db, caller.accountId, params.id as string);
    // Behaviors, runs with their points, scores and rows, figures, days and promotions go with it.
    await services.db.deleteFrom("agents").where("account_id", "=", caller.accountId).where("slug", "=", own).execute();
    return { ok: true, deleted: true };
  });

  mount(mounting, purgeAgent, async ({ services, caller, params, body }) => {
    const { db, blobs } = services;
    const agent = (params.id as string).trim().toLowerCase();
    checkAgent(caller, agent);
    if (body.confirm.trim().toLowerCase() !== agent) {
      throw new HttpError("invalid_field", `confirm is not ${agent}. Repeat the id of the agent to delete it.`, {
        field: "confirm",
      });
    }
    const counted = await inTransaction(db, async (transaction) => {
      const traces = await transaction
        .selectFrom("traces")
        .select("id")
        .where("account_id", "=", caller.accountId)
        .where("agent", "=", agent)
        .execute();
      const datasets = await transaction
        .selectFrom("datasets")
        .select("id")
        .where("account_id", "=", caller.accountId)
        .where("agent", "=", agent)
        .execute();
      const ids = datasets.map(({ id }) => id);
      const parts =
        ids.length === 0
          ? []
          : await transaction.selectFrom("dataset_parts").select("blob").where("dataset_id", "in", ids).execute();
      if (traces.length === 0 && datasets.length === 0) await slugOfAgent(transaction, caller.accountId, agent);
      if (body.dryRun !== true) {
        await transaction
          .deleteFrom("traces")
          .where("account_id", "=", caller.accountId)
          .where("agent", "=", agent)
          .execute();
        if (ids.length > 0) {
          await transaction.deleteFrom("dataset_parts").where("dataset_id", "in", ids).execute();
          await transaction.deleteFrom("datasets").where("id", "in", ids).execute();
        }
        await transaction
          .deleteFrom("agents")
          .where("account_id", "=", caller.accountId)
          .where("slug", "=", agent)
          .execute();
      }
      return { traces: traces.length, datasets: ids.length, blobs: parts.map(({ blob }) => blob) };
    });
    if (body.dryRun !== true) for (const blob of counted.blobs) await blobs.delete(blob);
    return { agent, traces: counted.traces, datasets: counted.datasets, deleted: body.dryRun !== true };
  });

  mount(mounting, promote, async ({ services, caller, params, body }) => {
    return inTransaction(services.db, async (db) => {
      const facts = await factsOf(db, caller, params.id as string);
      const verdict = verdictOn(facts, body.version, body.behavior ?? null);
      const proven = verdict !== null && verdict.kind === "beats" && verdict.gaps.length === 0;
      // A program decides by a rule of its own; a person who decides against the rule says why.
      if (caller.kind === "session" && !proven && facts.agent.serving !== null && !body.reason?.trim()) {
        const said = verdict === null ? `no score compares ${body.version} with what serves` : verdict.text;
        throw new HttpError("invalid_field", `Say why: ${said}`, { field: "reason" });
      }
      return serve(services, db, facts.agent, { ...body, verdict: verdict?.text ?? null, by: caller.keyName });
    });
  });

  mount(mounting, rollback, async ({ services, caller, params, body }) => {
    return inTransaction(services.db, async (db) => {
      const { agent } = await factsOf(db, caller, params.id as string);
      const last = await db
        .selectFrom("promotions")
        .select(["version", "previous"])
        .where("account_id", "=", caller.accountId)
        .where("slug", "=", agent.slug)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      if (last === undefined || last.previous === null || last.version !== agent.serving) {
        throw new HttpError("invalid_request", `Nothing served before ${agent.serving ?? "the first promotion"}.`);
      }
      const reason = body?.reason?.trim() || `Back from ${last.version}.`;
      return serve(services, db, agent, { version: last.previous, reason, verdict: null, by: caller.keyName });
    });
  });

  mount(mounting, listPromotions, async ({ services, caller, params }) => {
    checkAgent(caller, params.id as string);
    const own = await slugOfAgent(services.db, caller.accountId, params.id as string);
    const rows = await services.db
      .selectFrom("promotions")
      .selectAll()
      .where("account_id", "=", caller.accountId)
      .where("slug", "=", own)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .execute();
    return {
      promotions: rows.map(({ version, previous, reason, verdict, promoted_by, at }) => ({
        version,
        previous,
        reason,
        verdict,
        by: promoted_by,
        at,
      })),
    };
  });
}

interface Decision extends Promotion {
  verdict: string | null;
  by: string;
}

/** Lets a version serve and writes down who decided it, why, and what the verdict said. */
async function serve({ now }: Services, db: Db, agent: AgentRow, { version, reason, verdict, by }: Decision) {
  const of = { account_id: agent.account_id, slug: agent.slug };
  const run = await db
    .selectFrom("runs")
    .select("uid")
    .where((e) => e.and({ ...of, version, archived: 0 }))
    .limit(1)
    .executeTakeFirst();
  if (run === undefined) {
    throw new HttpError(
      "invalid_field",
      `No run of ${agent.id} carries version ${version}. List them with GET /runs.`,
      { field: "version" },
    );
  }
  const at = isoTime(now());
  await db
    .updateTable("agents")
    .set({ serving: version, last_activity_at: at })
    .where((e) => e.and(of))
    .execute();
  await factsChanged(db, agent.account_id, agent.slug);
  const entry = { ...of, version, previous: agent.serving, reason: reason ?? null, verdict, promoted_by: by, at };
  await db
    .insertInto("promotions")
    .values({ id: newId("pro"), ...entry })
    .execute();
  return { ok: true as const, serving: version, previous: agent.serving, at };
}
