import type { Dataset, DatasetQuery } from "@while/platform-client/contract";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { DatasetPartTable, DatasetTable } from "../db/tables.ts";
import { notFound } from "../http/http-error.ts";
import { containing } from "./containing.ts";
import { type Page, pageOf } from "./page.ts";

/** A set of the account. @throws HttpError `not_found` */
export async function getDataset(db: Db, accountId: string, id: string): Promise<DatasetTable> {
  const row = await db
    .selectFrom("datasets")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw notFound(`dataset ${id}`, "List them with GET /datasets.");
  return row;
}

/** Sets of an account, newest first: all of them, or a page where a limit is given. */
export async function listDatasets(db: Db, accountId: string, asked: DatasetQuery): Promise<Page<DatasetTable>> {
  let query = db.selectFrom("datasets").selectAll().where("account_id", "=", accountId);
  if (asked.agent != null) query = query.where("agent", "=", asked.agent.trim().toLowerCase());
  if (asked.purpose != null) query = query.where("purpose", "=", asked.purpose);
  if (asked.status != null) query = query.where("status", "=", asked.status as DatasetTable["status"]);
  if (asked.q != null && asked.q !== "") {
    query = query.where(sql<boolean>`lower(name) like ${containing(asked.q.toLowerCase())} escape '\\'`);
  }
  return pageOf(query, asked);
}

export function partsOf(db: Db, datasetId: string): Promise<DatasetPartTable[]> {
  return db.selectFrom("dataset_parts").selectAll().where("dataset_id", "=", datasetId).orderBy("part").execute();
}

/** Sets that say these are their parents, oldest first. */
export async function childrenOf(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, DatasetTable[]>> {
  const children = new Map<string, DatasetTable[]>();
  if (ids.length === 0) return children;
  const rows = await db
    .selectFrom("datasets")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("parent_id", "in", ids as string[])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  for (const row of rows) {
    const parent = row.parent_id as string;
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  return children;
}

/** Sets of one family that a page draws. */
const FAMILY_MAX = 500;

/** The whole family of a set, parents before their children: everything that was made of the oldest one. */
export async function familyOf(db: Db, row: DatasetTable): Promise<DatasetTable[]> {
  const above = new Set([row.id]);
  let root = row;
  while (root.parent_id !== null && !above.has(root.parent_id)) {
    const parent = await db
      .selectFrom("datasets")
      .selectAll()
      .where("account_id", "=", row.account_id)
      .where("id", "=", root.parent_id)
      .executeTakeFirst();
    if (parent === undefined) break;
    above.add(parent.id);
    root = parent;
  }
  const family = new Map([[root.id, root]]);
  for (let level = [root.id]; level.length > 0 && family.size < FAMILY_MAX; ) {
    const children = [...(await childrenOf(db, row.account_id, level)).values()].flat();
    const fresh = children.filter(({ id }) => !family.has(id)).slice(0, FAMILY_MAX - family.size);
    for (const child of fresh) family.set(child.id, child);
    level = fresh.map(({ id }) => id);
  }
  return [...family.values()];
}

/** What is known of rows that nobody has read yet, or that are no longer those that were read. */
export const UNREAD: Pick<
  DatasetTable,
  | ("profile" | "pass_rate" | "mixed_tasks")
  | ("gate" | "gate_state" | "gate_version" | "gate_lease" | "gate_tries" | "gate_warnings")
> = {
  profile: null,
  pass_rate: null,
  mixed_tasks: null,
  gate: null,
  gate_state: null,
  gate_version: null,
  gate_lease: null,
  gate_tries: 0,
  gate_warnings: null,
};

/** A set as the wire shows it. A holdout is the sibling of the train set it was split from. */
export function datasetWire(row: DatasetTable, children: readonly DatasetTable[] = []): Dataset {
  const holdout = children.findLast(({ purpose }) => purpose === "holdout");
  return {
    datasetId: row.id,
    name: row.name,
    agent: row.agent,
    purpose: row.purpose,
    mode: row.mode,
    description: row.description,
    parentDatasetId: row.parent_id,
    rows: row.row_count,
    tasks: row.task_count,
    sizeBytes: row.bytes,
    status: row.status,
    sha256: row.sha256,
    rowsDigest: row.rows_digest,
    duplicateOf: row.duplicate_of,
    sealed: row.sealed === 1,
    version: row.version,
    passRate: row.pass_rate,
    mixedTasks: row.mixed_tasks,
    gateState: row.gate_state,
    warnings: row.gate_warnings,
    createdAt: row.created_at,
    finalizedAt: row.finalized_at,
    createdBy: row.created_by,
    children: children.map(({ id }) => id),
    siblings: {
      ...(row.purpose === "holdout" && row.parent_id !== null ? { train: row.parent_id } : {}),
      ...(holdout === undefined ? {} : { holdout: holdout.id }),
    },
  };
}
