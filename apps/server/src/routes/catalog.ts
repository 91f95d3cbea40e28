import {
  type Card,
  downloadCard,
  getCatalog,
  type Profile,
  publishDataset,
  unpublishDataset,
} from "@while/platform-client/contract";
import { linkPath } from "../blobs/blob-link.ts";
import type { DatasetTable } from "../db/tables.ts";
import { checkAgent } from "../http/caller.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount, mountOpen } from "../http/mount.ts";
import { getDataset, partsOf } from "../queries/datasets.ts";
import { ensureAgent } from "../queries/ensure-agent.ts";
import { isoTime } from "../services.ts";

const DOWNLOAD_LINK_MS = 15 * 60 * 1000;

/** What the public sees of a set: nothing of the rows but their counts. */
function cardOf(row: DatasetTable): Card {
  const kept = JSON.parse(row.profile ?? "null") as { profile: Profile } | null;
  return {
    datasetId: row.id,
    name: row.name,
    agent: row.published_agent ?? row.agent ?? "",
    description: row.published_description ?? row.description,
    rows: row.row_count ?? 0,
    sizeBytes: row.bytes,
    purpose: row.purpose,
    mode: row.mode,
    profile: {
      pass_rate: kept?.profile.pass_rate ?? null,
      mixed_tasks: kept?.profile.mixed_tasks ?? 0,
      tasks: kept?.profile.tasks ?? row.task_count ?? 0,
      support: kept?.profile.support ?? null,
    },
    publishedAt: row.published_at as string,
  };
}

export function catalogRoutes(mounting: Mounting): void {
  mount(mounting, publishDataset, async ({ services, caller, params, body }) => {
    const { db, now } = services;
    const row = await getDataset(db, caller.accountId, params.id as string);
    if (row.agent !== null) checkAgent(caller, row.agent);
    checkAgent(caller, body.agent);
    if (row.status !== "ready")
      throw new HttpError("not_finalized", `Dataset ${row.id} is ${row.status}. Finalize it first.`);
    if ((row.row_count ?? 0) === 0)
      throw new HttpError("invalid_rows", `Dataset ${row.id} holds no rows. A card of nothing helps nobody.`);
    if (row.sealed === 1)
      throw new HttpError(
        "scope_missing",
        `Dataset ${row.id} is sealed. Take the seal off before all the world reads it.`,
      );
    const agent = await ensureAgent(services, db, caller.accountId, body.agent);
    const set = {
      published_at: isoTime(now()),
      published_agent: agent,
      published_description: body.description ?? null,
    };
    await db.updateTable("datasets").set(set).where("id", "=", row.id).execute();
    return cardOf({ ...row, ...set });
  });

  mount(mounting, unpublishDataset, async ({ services, caller, params }) => {
    const row = await getDataset(services.db, caller.accountId, params.id as string);
    if (row.agent !== null) checkAgent(caller, row.agent);
    await services.db
      .updateTable("datasets")
      .set({ published_at: null, published_agent: null, published_description: null })
      .where("id", "=", row.id)
      .execute();
    return { ok: true, datasetId: row.id };
  });

  mountOpen(mounting, getCatalog, async ({ services }) => {
    const rows = await services.db
      .selectFrom("datasets")
      .selectAll()
      .where("published_at", "is not", null)
      .orderBy("published_at", "desc")
      .orderBy("id")
      .execute();
    const datasets = rows.map(cardOf);
    return { datasets, agents: [...new Set(datasets.map(({ agent }) => agent))].sort() };
  });

  mountOpen(mounting, downloadCard, async ({ services, params, origin }) => {
    const row = await services.db
      .selectFrom("datasets")
      .selectAll()
      .where("id", "=", params.id as string)
      .where("published_at", "is not", null)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`published dataset ${params.id}`, "List them with GET /catalog.");
    const until = services.now() + DOWNLOAD_LINK_MS;
    const parts = (await partsOf(services.db, row.id)).map(
      ({ part }) => origin + linkPath(services, { act: "get", datasetId: row.id, part, until }),
    );
    return { downloadUrl: parts[0] as string, parts };
  });
}
