import type { RunQuery, RunRecord, RunRow, StoredScore } from "@while/platform-client/contract";
import type { Db } from "../db/open-database.ts";
import type { RunTable } from "../db/tables.ts";
import { notFound } from "../http/http-error.ts";
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
  asked: Omit<RunQuery, "agent"> & { slug: string | null },
): Promise<Page<RunTable & { created_at: string; id: string }>> {
  let query = db.selectFrom("runs").selectAll().where("account_id", "=", accountId);
  query = asked.slug === null ? query.where("slug", "is", null) : query.where("slug", "=", asked.slug);
  if (asked.archived != null) query = query.where("archived", "=", asked.archived ? 1 : 0);
  return pageOf(query, asked);
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
    datasetId: row.dataset_id,
    adapter: row.adapter,
    config: object(row.config),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
