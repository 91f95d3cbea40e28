import type { Dismissals, RunQuery, RunRecord, RunRow, RunSort, StoredScore } from "@while/platform-client/contract";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { RunTable } from "../db/tables.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { containing } from "./containing.ts";
import { type Page, pageOf } from "./page.ts";
import { scoresOfRuns } from "./scores.ts";

/** A run of the account. @throws HttpError `not_found` */
export async function getRun(db: Db, accountId: string, id: string): Promise<RunTable> {
  const row = await db
    .selectFrom("runs")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw notFound(`run ${id}`, "List them with GET /runs.");
  return row;
}

/** Runs of an agent, or the training runs that belong to none; newest first, whole or by page. */
export async function listRuns(
  db: Db,
  accountId: string,
  asked: ListedRuns,
): Promise<Page<RunTable & { created_at: string; id: string }>> {
  return pageOf(matching(db, accountId, asked).selectAll(), asked);
}

type ListedRuns = Omit<RunQuery, "agent"> & { slug: string | null };

/** Runs that match, before they are ordered or counted. */
function matching(db: Db, accountId: string, { slug, archived, q, status, method, ids }: ListedRuns) {
  let query = db.selectFrom("runs").where("account_id", "=", accountId);
  query = slug === null ? query.where("slug", "is", null) : query.where("slug", "=", slug);
  if (archived != null) query = query.where("archived", "=", archived ? 1 : 0);
  if (status != null) query = query.where("status", "in", [status].flat());
  if (method != null) query = query.where("method", "in", [method].flat());
  if (ids != null) query = query.where("id", "in", [ids].flat());
  for (const word of (q ?? "").toLowerCase().split(/\s+/)) {
    if (word === "") continue;
    const text = sql<string>`lower(coalesce(version, '') || ' ' || id || ' ' || coalesce(name, '') || ' '
      || coalesce(method, '') || ' ' || coalesce(base, '') || ' ' || coalesce(notes, ''))`;
    query = query.where(sql<boolean>`${text} like ${containing(word)} escape '\\'`);
  }
  return query;
}

/** Columns that a list is ordered by; what is not there comes last either way. */
function orderOf(sort: RunSort, behavior: string | null) {
  const columns = {
    ...{ created: "created_at", updated: "updated_at", version: "version", status: "status", method: "method" },
    ...{ hours: "hours", cost: "cost_usd" },
  } as const;
  if (sort !== "score" && sort !== "n") return sql.ref(columns[sort]);
  const newest = sql`from scores where scores.run_uid = runs.uid and scores.behavior = ${behavior}
    and scores.replaced_at is null order by scores.created_at desc, scores.test_version limit 1`;
  return sort === "score" ? sql`(select scores.score ${newest})` : sql`(select scores.n ${newest})`;
}

/** How many runs match. */
export async function countRuns(db: Db, accountId: string, asked: ListedRuns): Promise<number> {
  const counted = matching(db, accountId, asked).select(({ fn }) => fn.countAll<number>().as("total"));
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** Runs in an order of their own, by page: where the next page begins is how many were shown. */
export async function sortedRuns(db: Db, accountId: string, asked: ListedRuns): Promise<Page<RunTable>> {
  const from = asked.cursor == null || asked.cursor === "" ? 0 : Number(asked.cursor);
  if (!Number.isInteger(from) || from < 0) {
    throw new HttpError("invalid_request", "The cursor is none that this server gave. Begin without one.", {
      field: "cursor",
    });
  }
  const value = orderOf(asked.sort ?? "created", asked.behavior ?? null);
  let query = matching(db, accountId, asked)
    .selectAll()
    .orderBy(sql`case when ${value} is null then 1 else 0 end`)
    .orderBy(value, asked.order ?? "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
  if (asked.limit != null) query = query.limit(asked.limit + 1).offset(from);
  const rows = await query.execute();
  const more = asked.limit != null && rows.length > asked.limit;
  const shown = more ? rows.slice(0, asked.limit as number) : rows;
  return { rows: shown, nextCursor: more ? String(from + shown.length) : null };
}

/** All runs of an agent as the rules read them, newest first. */
export async function runRowsOf(db: Db, accountId: string, slug: string): Promise<RunRow[]> {
  const { rows } = await listRuns(db, accountId, { slug });
  const scores = await scoresOfRuns(
    db,
    rows.map(({ uid }) => uid),
    { whole: false },
  );
  return rows.map((row) => runWire(row, scores.get(row.uid)));
}

function object(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

/** A run as the wire shows it. */
export function runWire(row: RunTable, evals: StoredScore[] = []): RunRow {
  return {
    id: row.id,
    runId: row.id,
    agent: row.agent_id,
    version: row.version,
    name: row.name,
    base: row.base,
    baseModel: row.base,
    method: row.method,
    targets: JSON.parse(row.targets) as string[],
    trainedOn: JSON.parse(row.trained_on) as string[],
    harness: row.harness,
    gpu: row.gpu,
    hours: row.hours,
    seconds: row.seconds,
    costUsd: row.cost_usd,
    steps: row.steps,
    totalSteps: row.total_steps,
    status: row.status,
    error: row.error,
    notes: row.notes,
    archived: row.archived === 1,
    summary: object(row.summary),
    record: object(row.record) as RunRecord | null,
    evals,
    dismissed: object(row.dismissed) as Dismissals | null,
    datasetId: row.dataset_id,
    adapter: row.adapter,
    config: object(row.config),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
