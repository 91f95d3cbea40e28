import { createHash, type Hash } from "node:crypto";
import {
  checkContamination,
  createDataset,
  type Dataset,
  deleteDataset,
  downloadDataset,
  finalizeDataset,
  getDataset as getDatasetRoute,
  getDatasetRows,
  getLineage,
  hasScope,
  listDatasets as listDatasetsRoute,
  type Profile,
  previewDataset,
  profileDataset,
  updateDataset,
} from "@while/platform-client/contract";
import { linkPath } from "../blobs/blob-link.ts";
import { GATED_AT_ONCE, type GateQueue } from "../datasets/gate-queue.ts";
import { onThread } from "../datasets/on-thread.ts";
import { readUpload } from "../datasets/read-upload.ts";
import { rowsPage } from "../datasets/rows-page.ts";
import { bytesOf, textOf } from "../datasets/set-text.ts";
import type { Db } from "../db/open-database.ts";
import type { DatasetPartTable, DatasetTable } from "../db/tables.ts";
import { writeAudit } from "../http/audit.ts";
import { type Caller, checkAgent } from "../http/caller.ts";
import { HttpError } from "../http/http-error.ts";
import { type AskedWithKey, type Mounting, mount } from "../http/mount.ts";
import { childrenOf, datasetWire, familyOf, getDataset, listDatasets, partsOf, UNREAD } from "../queries/datasets.ts";
import { ensureAgent } from "../queries/ensure-agent.ts";
import { storageOf } from "../queries/storage.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";
import { limitsOf } from "./account.ts";

const UPLOAD_LINK_MS = 12 * 3600 * 1000;
const DOWNLOAD_LINK_MS = 15 * 60 * 1000;

const ROWS_A_PAGE = 20;

/** Grows when the profile of the same rows would come out otherwise. */
const PROFILE_VERSION = 1;

/** Rows of two sets that are compared in one answer. */
const OVERLAP_ROWS_MAX = 20_000;
const OVERLAP_BYTES_MAX = 100_000_000;

/** What the gate says of a set, or why it says nothing; null while it reads. Traces are read when somebody asks. */
async function reportOf(
  { db }: Services,
  gates: GateQueue,
  row: DatasetTable,
): Promise<Record<string, unknown> | null> {
  let gated = row;
  if (row.gate_state === null) {
    await db
      .updateTable("datasets")
      .set({ gate_state: "pending" })
      .where("id", "=", row.id)
      .where("gate_state", "is", null)
      .execute();
  }
  if (row.gate_state === null || row.gate_state === "pending") {
    await gates.requestAndWait(row);
    gated = await getDataset(db, row.account_id, row.id);
  }
  return gated.gate_state === "pending" ? null : (JSON.parse(gated.gate ?? "null") as Record<string, unknown> | null);
}

async function wireOf(db: Db, row: DatasetTable): Promise<Dataset> {
  return datasetWire(row, (await childrenOf(db, row.account_id, [row.id])).get(row.id));
}

/** A set that the key may see: one of another agent is as if there were none. */
async function visible(db: Db, caller: Caller, id: string): Promise<DatasetTable> {
  const row = await getDataset(db, caller.accountId, id);
  if (row.agent !== null) checkAgent(caller, row.agent);
  return row;
}

function checkFinalized(row: DatasetTable): void {
  if (row.status === "ready") return;
  throw new HttpError("not_finalized", `Dataset ${row.id} is ${row.status}. PUT its rows and finalize it first.`);
}

/** Bytes on their way, and into a digest of all of them. */
async function* hashed(bytes: AsyncIterable<Uint8Array>, digest: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    digest.update(chunk);
    yield chunk;
  }
}

/** @throws HttpError `upload_missing` where what the sender sent is not what is here */
function checkParts(parts: readonly DatasetPartTable[], sent: { n: number; sha256: string }[] | null): void {
  if (sent === null) return;
  const here = new Map(parts.map(({ part, sha256 }) => [part, sha256]));
  const missing = sent.find(({ n, sha256 }) => here.get(n) !== sha256);
  if (missing !== undefined) {
    const what = here.has(missing.n) ? "arrived with other bytes" : "has not arrived";
    throw new HttpError("upload_missing", `Part ${missing.n} ${what}. PUT it, then finalize again.`);
  }
  const named = new Set(sent.map(({ n }) => n));
  const more = parts.find(({ part }) => !named.has(part));
  if (more !== undefined) {
    throw new HttpError("upload_missing", `Part ${more.part} is here and was not named. Name all parts, or push anew.`);
  }
}

export function datasetRoutes(mounting: Mounting, gates: GateQueue): void {
  mount(mounting, createDataset, async ({ services, caller, body, origin }) => {
    const { db, now } = services;
    const { datasets } = limitsOf(caller.tier);
    if (datasets !== null && (await storageOf(db, caller.accountId)).datasets >= datasets) {
      throw new HttpError(
        "dataset_limit",
        `A trial holds ${datasets} sets. Delete one, or sign in once to lift the limit.`,
      );
    }
    if (body.agent != null) checkAgent(caller, body.agent);
    if (body.parentDatasetId != null) await visible(db, caller, body.parentDatasetId);
    const row = await db.transaction().execute(async (transaction) => {
      const agent = body.agent == null ? null : await ensureAgent(services, transaction, caller.accountId, body.agent);
      const made: DatasetTable = {
        id: newId("ds"),
        account_id: caller.accountId,
        name: body.name,
        agent,
        purpose: body.purpose ?? "train",
        mode: body.mode ?? null,
        description: body.description ?? null,
        parent_id: body.parentDatasetId ?? null,
        status: "uploading",
        sealed: body.sealed === true ? 1 : 0,
        version: 1,
        row_count: null,
        task_count: null,
        bytes: 0,
        sha256: null,
        rows_digest: null,
        duplicate_of: null,
        preview: null,
        ...UNREAD,
        published_at: null,
        published_agent: null,
        published_description: null,
        created_by: caller.keyName,
        created_at: isoTime(now()),
        finalized_at: null,
      };
      await transaction.insertInto("datasets").values(made).execute();
      return made;
    });
    const link = linkPath(services, { act: "put", datasetId: row.id, part: 0, until: now() + UPLOAD_LINK_MS });
    return { ...datasetWire(row), uploadUrl: origin + link };
  });

  mount(mounting, finalizeDataset, async ({ services, caller, params, body }) => {
    const { db, blobs, now } = services;
    const row = await visible(db, caller, params.id as string);
    if (row.status === "ready") return wireOf(db, row);
    const parts = await partsOf(db, row.id);
    if (parts.length === 0)
      throw new HttpError("upload_missing", `Dataset ${row.id} has no rows yet. PUT them to its uploadUrl.`);
    checkParts(parts, body?.parts ?? null);
    const digest = createHash("sha256");
    const read = await readUpload(parts.map((part) => hashed(bytesOf(blobs, part), digest)));
    const sha256 = digest.digest("hex");
    if (read.firstBad !== null) {
      const { line, why } = read.firstBad;
      throw new HttpError(
        "invalid_rows",
        `Line ${line} is no row: ${why.slice(0, 160)} (${read.badLines} bad in all). Repair it and push again.`,
      );
    }
    const same = await db
      .selectFrom("datasets")
      .select("id")
      .where("account_id", "=", caller.accountId)
      .where("sha256", "=", sha256)
      .where("status", "=", "ready")
      .orderBy("created_at")
      .executeTakeFirst();
    await db
      .updateTable("datasets")
      .set({
        status: "ready",
        sha256,
        row_count: read.rows,
        task_count: read.tasks,
        rows_digest: read.rowsDigest,
        duplicate_of: same?.id ?? null,
        profile: JSON.stringify({ version: PROFILE_VERSION, profile: read.profile }),
        pass_rate: read.profile.pass_rate,
        mixed_tasks: read.profile.mixed_tasks,
        preview: JSON.stringify(read.sample),
        gate_state: "pending",
        finalized_at: isoTime(now()),
      })
      .where("id", "=", row.id)
      .where("status", "=", "uploading")
      .execute();
    const queued = { id: row.id, row_count: read.rows };
    // A set that the gate reads in a moment is answered with what it says; a large one is read behind the answer.
    if (read.rows <= GATED_AT_ONCE) await gates.requestAndWait(queued);
    else void gates.request(queued);
    return wireOf(db, await getDataset(db, caller.accountId, row.id));
  });

  mount(mounting, listDatasetsRoute, async ({ services, caller, query }) => {
    const { db } = services;
    const { rows, nextCursor } = await listDatasets(db, caller.accountId, query);
    const seen = rows.filter(
      ({ agent }) => caller.agents === null || (agent !== null && caller.agents.includes(agent)),
    );
    const children = await childrenOf(
      db,
      caller.accountId,
      seen.map(({ id }) => id),
    );
    return {
      datasets: seen.map((row) => datasetWire(row, children.get(row.id))),
      storage: {
        usedBytes: (await storageOf(db, caller.accountId)).bytes,
        limitBytes: limitsOf(caller.tier).storageBytes,
      },
      nextCursor,
    };
  });

  mount(mounting, getDatasetRoute, async ({ services, caller, params }) => {
    return wireOf(services.db, await visible(services.db, caller, params.id as string));
  });

  mount(mounting, updateDataset, async ({ services, caller, params, body }) => {
    const { db } = services;
    const row = await visible(db, caller, params.id as string);
    const given = Object.entries(body).filter(([, value]) => value !== undefined);
    if (given.length === 0)
      throw new HttpError(
        "invalid_request",
        "Nothing to change came. Send purpose, mode, agent, description or sealed.",
      );
    if (body.agent != null) checkAgent(caller, body.agent);
    const agent = body.agent == null ? body.agent : await ensureAgent(services, db, caller.accountId, body.agent);
    // The gate asks of rows what they are for.
    const otherMode = body.mode !== undefined && body.mode !== row.mode;
    const otherPurpose = body.purpose != null && body.purpose !== row.purpose;
    const regated = row.gate_state !== null && (otherMode || otherPurpose);
    await db
      .updateTable("datasets")
      .set({
        ...(body.purpose == null ? {} : { purpose: body.purpose }),
        ...(body.mode === undefined ? {} : { mode: body.mode }),
        ...(agent === undefined ? {} : { agent }),
        ...(body.description === undefined ? {} : { description: body.description }),
        ...(body.sealed == null ? {} : { sealed: body.sealed ? 1 : 0 }),
        ...(regated ? { gate_state: "pending", gate_lease: null, gate: null, gate_warnings: null } : {}),
        version: row.version + 1,
      })
      .where("id", "=", row.id)
      .execute();
    if (regated) void gates.request(row);
    return wireOf(db, await getDataset(db, caller.accountId, row.id));
  });

  mount(mounting, deleteDataset, async ({ services, caller, params }) => {
    const { db, blobs } = services;
    const row = await visible(db, caller, params.id as string);
    const parts = await partsOf(db, row.id);
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("dataset_parts").where("dataset_id", "=", row.id).execute();
      await transaction.deleteFrom("datasets").where("id", "=", row.id).execute();
    });
    for (const { blob } of parts) await blobs.delete(blob);
    return { ok: true, deleted: true };
  });

  mount(mounting, previewDataset, async (asked) => {
    const { services, caller, params } = asked;
    const row = await visible(services.db, caller, params.id as string);
    checkFinalized(row);
    await readSealed(asked, row, "preview");
    return {
      rows: JSON.parse(row.preview ?? "[]") as Record<string, unknown>[],
      report: await reportOf(services, gates, row),
    };
  });

  mount(mounting, profileDataset, async ({ services, caller, params, query }) => {
    const { db, blobs } = services;
    const row = await visible(db, caller, params.id as string);
    checkFinalized(row);
    const kept = JSON.parse(row.profile ?? "null") as { version: number; profile: Profile } | null;
    if (kept !== null && kept.version === PROFILE_VERSION && query.force !== true) return { profile: kept.profile };
    const parts = await partsOf(db, row.id);
    const { profile } = await readUpload(parts.map((part) => bytesOf(blobs, part)));
    await db
      .updateTable("datasets")
      .set({ profile: JSON.stringify({ version: PROFILE_VERSION, profile }) })
      .where("id", "=", row.id)
      .execute();
    return { profile };
  });

  mount(mounting, getDatasetRows, async (asked) => {
    const { services, caller, params, query } = asked;
    const row = await visible(services.db, caller, params.id as string);
    checkFinalized(row);
    await readSealed(asked, row, "rows");
    const parts = await partsOf(services.db, row.id);
    return rowsPage(services.blobs, parts, { limit: query.limit ?? ROWS_A_PAGE, cursor: query.cursor });
  });

  mount(mounting, getLineage, async ({ services, caller, params }) => {
    const { db } = services;
    const row = await visible(db, caller, params.id as string);
    const family = (await familyOf(db, row)).filter(
      ({ agent }) => caller.agents === null || (agent !== null && caller.agents.includes(agent)),
    );
    const children = await childrenOf(
      db,
      caller.accountId,
      family.map(({ id }) => id),
    );
    return { root: family[0]?.id ?? row.id, nodes: family.map((one) => datasetWire(one, children.get(one.id))) };
  });

  mount(mounting, checkContamination, async (asked) => {
    const { services, caller, params, body } = asked;
    const { db, blobs } = services;
    const sets = [await visible(db, caller, params.id as string), await visible(db, caller, body.against)];
    for (const set of sets) {
      checkFinalized(set);
      await readSealed(asked, set, "contamination");
      if ((set.row_count ?? 0) > OVERLAP_ROWS_MAX || set.bytes > OVERLAP_BYTES_MAX) {
        throw new HttpError(
          "too_large",
          `${set.id} has ${set.row_count} rows; here up to ${OVERLAP_ROWS_MAX} are compared. Use wai decontaminate.`,
        );
      }
    }
    const [text, against] = await Promise.all(sets.map(async (set) => textOf(blobs, await partsOf(db, set.id))));
    return onThread("overlap-worker", { text, against });
  });

  mount(mounting, downloadDataset, async (asked) => {
    const { services, caller, params, origin } = asked;
    const { db, now } = services;
    const row = await visible(db, caller, params.id as string);
    await readSealed(asked, row, "download");
    const until = now() + DOWNLOAD_LINK_MS;
    const parts = (await partsOf(db, row.id)).map(
      ({ part }) => origin + linkPath(services, { act: "get", datasetId: row.id, part, until }),
    );
    const [first] = parts;
    if (first === undefined)
      throw new HttpError("upload_missing", `Dataset ${row.id} holds no rows yet. PUT them to its uploadUrl.`);
    return { downloadUrl: first, parts };
  });
}

/**
 * A sealed holdout is for measuring: a key that trains may know of it and not read it, and each reading is written down,
 * so that one can see how often a test was looked at.
 */
async function readSealed(
  { services, caller, address, requestId }: Reading,
  row: DatasetTable,
  how: string,
): Promise<void> {
  if (row.sealed === 0) return;
  if (!hasScope(caller.scopes, ["eval:read"])) {
    throw new HttpError("scope_missing", `Dataset ${row.id} is sealed: only a key with eval:read reads it.`);
  }
  await writeAudit(services.db, {
    at: isoTime(services.now()),
    account_id: caller.accountId,
    key_id: caller.keyId,
    address,
    action: "readSealed",
    resource: `/datasets/${row.id}`,
    request_id: requestId,
    detail: how,
  });
}

type Reading = Pick<AskedWithKey<unknown, unknown>, "services" | "caller" | "address" | "requestId">;
