import type { Frontier, HarnessRecord, TrackedInfo } from "@while/platform-client/contract";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { AgentTable } from "../db/tables.ts";
import { notFound } from "../http/http-error.ts";

export interface AgentRow extends AgentTable {
  traces: number;
  datasets: number;
  runs: number;
  /** Version of its newest run that is not archived. */
  newest: string | null;
}

/** Agents with how much there is of each: counts by subqueries over indexes, in one statement. */
function agentRows(db: Db, accountId: string) {
  return db
    .selectFrom("agents")
    .selectAll()
    .select([
      sql<number>`(select count(*) from traces t where t.account_id = agents.account_id and t.agent = agents.slug)`.as(
        "traces",
      ),
      sql<number>`(select count(*) from datasets d where d.account_id = agents.account_id and d.agent = agents.slug)`.as(
        "datasets",
      ),
      sql<number>`(select count(*) from runs r where r.account_id = agents.account_id and r.slug = agents.slug)`.as(
        "runs",
      ),
      sql<string | null>`(select r.version from runs r where r.account_id = agents.account_id and r.slug = agents.slug
        and r.archived = 0 order by r.created_at desc, r.id desc limit 1)`.as("newest"),
    ])
    .where("account_id", "=", accountId);
}

/** Agents of an account, the one with the latest activity first. */
export function listAgents(db: Db, accountId: string): Promise<AgentRow[]> {
  return agentRows(db, accountId).orderBy("last_activity_at", "desc").orderBy("slug").execute() as Promise<AgentRow[]>;
}

/** An agent by its id, in any case. @throws HttpError `not_found` */
export async function getAgent(db: Db, accountId: string, id: string): Promise<AgentRow> {
  const row = await agentRows(db, accountId).where("slug", "=", id.trim().toLowerCase()).executeTakeFirst();
  if (row === undefined) throw notFound(`agent ${id}`, "List them with GET /agents.");
  return row as AgentRow;
}

/** Slug of an agent that is there: enough for a write below it. @throws HttpError `not_found` */
export async function slugOfAgent(db: Db, accountId: string, id: string): Promise<string> {
  const row = await db
    .selectFrom("agents")
    .select("slug")
    .where("account_id", "=", accountId)
    .where("slug", "=", id.trim().toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw notFound(`agent ${id}`, "List them with GET /agents.");
  return row.slug;
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

export function agentWire(row: AgentRow): TrackedInfo {
  return {
    id: row.id,
    name: row.name,
    model: row.model,
    harness: parsed<HarnessRecord>(row.harness),
    serving: row.serving,
    candidate: row.newest === row.serving ? null : row.newest,
    frontier: parsed<Frontier>(row.frontier),
    description: row.description,
    tools: parsed<unknown[]>(row.tools),
    system_prompt: row.system_prompt,
    traces: row.traces,
    datasets: row.datasets,
    runs: row.runs,
    createdAt: row.created_at,
    lastActivityAt: row.last_activity_at,
  };
}
