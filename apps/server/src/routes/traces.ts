import { createHash } from "node:crypto";
import { deleteTrace, listTraces, postTraces } from "@while/platform-client/contract";
import { type Row, rowsFromOtel, SchemaError } from "@while/schema";
import { readUpload } from "../datasets/read-upload.ts";
import type { Db } from "../db/open-database.ts";
import type { DatasetTable } from "../db/tables.ts";
import { type Caller, checkAgent } from "../http/caller.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { UNREAD } from "../queries/datasets.ts";
import { ensureAgent } from "../queries/ensure-agent.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";
import { type TraceIn, tracesIn } from "../traces/traces-in.ts";

/** Set of traces that name neither an agent nor a service. */
const NAMELESS = "traces";
const PAGE = 50;
const DAY_MS = 24 * 3600 * 1000;

/** Rows of one trace. @throws HttpError `invalid_request` for spans that cannot be read, `unsupported_media` without any */
function rowsOf(trace: TraceIn): Row[] {
  if (trace.badStart !== null) {
    const { span, value } = trace.badStart;
    const factor = value.length > 11 ? "10^6, it looks like milliseconds" : "10^9, it looks like seconds";
    throw new HttpError(
      "invalid_request",
      `Span ${span} starts at ${value}, which is no nanoseconds. Multiply by ${factor}.`,
      { field: "startTimeUnixNano" },
    );
  }
  try {
    return rowsFromOtel(trace.export).rows;
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new HttpError("invalid_request", `Trace ${trace.traceId}: ${error.message}`, { cause: error });
  }
}

/** Lines in a form that every reader of lines reads: what some take for a line end is escaped. */
function jsonl(rows: readonly Row[]): string {
  const escaped = (text: string) =>
    text.replace(/[\u0085\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return rows.map((row) => `${escaped(JSON.stringify(row))}\n`).join("");
}

/** The set that takes the traces of a name on this day (UTC), made by the first of them. */
async function daySet(
  { now }: Services,
  db: Db,
  caller: Caller,
  name: string,
  agent: string | null,
): Promise<DatasetTable> {
  const at = isoTime(now());
  const today = at.slice(0, 10);
  let query = db
    .selectFrom("datasets")
    .selectAll()
    .where("account_id", "=", caller.accountId)
    .where("purpose", "=", "raw")
    .where("name", "=", name)
    .where("created_at", ">=", today)
    .where("created_at", "<", isoTime(Date.parse(today) + DAY_MS));
  query = agent === null ? query.where("agent", "is", null) : query.where("agent", "=", agent);
  const known = await query.executeTakeFirst();
  if (known !== undefined) return known;
  const made: DatasetTable = {
    id: newId("ds"),
    account_id: caller.accountId,
    name,
    agent,
    purpose: "raw",
    mode: null,
    description: null,
    parent_id: null,
    status: "ready",
    sealed: 0,
    version: 1,
    row_count: 0,
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
    created_at: at,
    finalized_at: at,
  };
  await db.insertInto("datasets").values(made).execute();
  return made;
}

/** Adds a trace to its set, one part for each batch of its spans. The same batch again changes nothing. */
async function storeTrace(
  services: Services,
  caller: Caller,
  trace: TraceIn,
  rows: readonly Row[],
  fallback: string | null,
) {
  const { db, blobs, now } = services;
  const text = jsonl(rows);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const blob = `traces/${trace.traceId.replace(/[^0-9a-z]/g, "") || "none"}/${newId("part")}`;
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  const stored = await blobs.put(blob, bytes(), { maxBytes: Number.MAX_SAFE_INTEGER });
  const { sample } = await readUpload([bytes()]);
  const result = await db.transaction().execute(async (transaction) => {
    const name = trace.agent ?? fallback;
    const agent = name === null ? null : await ensureAgent(services, transaction, caller.accountId, name);
    const set = await daySet(services, transaction, caller, trace.dataset ?? trace.agent ?? NAMELESS, agent);
    const same = await transaction
      .selectFrom("dataset_parts")
      .select("part")
      .where("dataset_id", "=", set.id)
      .where("trace_id", "=", trace.traceId)
      .where("sha256", "=", sha256)
      .executeTakeFirst();
    if (same !== undefined) return { set, kept: false };
    const at = isoTime(now());
    const last = await transaction
      .selectFrom("dataset_parts")
      .select("part")
      .where("dataset_id", "=", set.id)
      .orderBy("part", "desc")
      .limit(1)
      .executeTakeFirst();
    const part = (last?.part ?? -1) + 1;
    await transaction
      .insertInto("dataset_parts")
      .values({ dataset_id: set.id, part, blob, ...stored, trace_id: trace.traceId, created_at: at })
      .execute();
    await transaction
      .updateTable("datasets")
      .set((e) => ({
        row_count: e("row_count", "+", rows.length),
        bytes: e("bytes", "+", stored.bytes),
        // The rows are no longer those that the profile was made of.
        ...UNREAD,
        ...(set.preview === null ? { preview: JSON.stringify(sample) } : {}),
      }))
      .where("id", "=", set.id)
      .execute();
    await transaction
      .insertInto("traces")
      .values({
        account_id: caller.accountId,
        id: trace.traceId,
        agent,
        dataset_id: set.id,
        part,
        row_count: rows.length,
        bytes: stored.bytes,
        created_at: at,
      })
      .onConflict((conflict) =>
        conflict.columns(["account_id", "id"]).doUpdateSet((e) => ({
          row_count: e("traces.row_count", "+", rows.length),
          bytes: e("traces.bytes", "+", stored.bytes),
        })),
      )
      .execute();
    return { set, kept: true };
  });
  if (!result.kept) await blobs.delete(blob);
  return result.set;
}

export function traceRoutes(mounting: Mounting): void {
  mount(mounting, postTraces, async ({ services, caller, body }) => {
    const traces = tracesIn(body);
    if (traces.length === 0)
      throw new HttpError("invalid_request", "The body holds no spans. Send OTLP as JSON with resourceSpans.");
    // Everything is read before anything is stored, so that a bad span costs its sender nothing but a message.
    const read = traces.map((trace) => ({ trace, rows: rowsOf(trace) }));
    const fallback = caller.agents?.length === 1 ? (caller.agents[0] as string) : null;
    for (const { trace } of read)
      if (trace.agent !== null || caller.agents !== null) checkAgent(caller, trace.agent ?? fallback ?? "");
    const sets: DatasetTable[] = [];
    for (const { trace, rows } of read) sets.push(await storeTrace(services, caller, trace, rows, fallback));
    const { id, name } = sets[0] as DatasetTable;
    return { datasetId: id, dataset: name, rows: read.reduce((sum, { rows }) => sum + rows.length, 0) };
  });

  mount(mounting, listTraces, async ({ services, caller, query }) => {
    const { db } = services;
    const limit = query.limit ?? PAGE;
    const page = query.page ?? 1;
    if (query.agent == null || query.agent === "") {
      const sets = await db
        .selectFrom("datasets")
        .selectAll()
        .where("account_id", "=", caller.accountId)
        .where("purpose", "=", "raw")
        .orderBy("created_at", "desc")
        .execute();
      const seen = sets.filter(
        ({ agent }) => caller.agents === null || (agent !== null && caller.agents.includes(agent)),
      );
      return {
        traces: seen.map(({ id, name, row_count, bytes }) => ({
          datasetId: id,
          name,
          rows: row_count ?? 0,
          sizeBytes: bytes,
        })),
        page: 1,
        pages: 1,
      };
    }
    checkAgent(caller, query.agent);
    let asked = db
      .selectFrom("traces")
      .where("account_id", "=", caller.accountId)
      .where("agent", "=", query.agent.trim().toLowerCase());
    if (query.from != null && query.from !== "" && query.from !== "all") {
      const from = Date.parse(query.from);
      if (Number.isNaN(from))
        throw new HttpError("invalid_request", `from is "${query.from}". Give an instant, or all.`, { field: "from" });
      asked = asked.where("created_at", ">=", isoTime(from));
    }
    const { total } = await asked.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const rows = await asked
      .selectAll()
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(limit)
      .offset((page - 1) * limit)
      .execute();
    return {
      traces: rows.map((row) => ({
        traceId: row.id,
        agent: row.agent,
        datasetId: row.dataset_id,
        rows: row.row_count,
        sizeBytes: row.bytes,
        createdAt: row.created_at,
      })),
      page,
      pages: Math.max(1, Math.ceil(total / limit)),
    };
  });

  mount(mounting, deleteTrace, async ({ services, caller, params }) => {
    const { db, blobs } = services;
    const id = params.id as string;
    const trace = await db
      .selectFrom("traces")
      .selectAll()
      .where("account_id", "=", caller.accountId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (trace === undefined) throw notFound(`trace ${id}`, "List them with GET /traces?agent=.");
    if (caller.agents !== null) checkAgent(caller, trace.agent ?? "");
    const gone = await db.transaction().execute(async (transaction) => {
      const parts = await transaction
        .selectFrom("dataset_parts")
        .selectAll()
        .where("dataset_id", "=", trace.dataset_id)
        .where("trace_id", "=", id)
        .execute();
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      await transaction
        .deleteFrom("dataset_parts")
        .where("dataset_id", "=", trace.dataset_id)
        .where("trace_id", "=", id)
        .execute();
      await transaction
        .updateTable("datasets")
        .set((e) => ({
          row_count: e("row_count", "-", trace.row_count),
          bytes: e("bytes", "-", bytes),
          preview: null,
          ...UNREAD,
        }))
        .where("id", "=", trace.dataset_id)
        .execute();
      await transaction.deleteFrom("traces").where("account_id", "=", caller.accountId).where("id", "=", id).execute();
      return parts;
    });
    for (const { blob } of gone) await blobs.delete(blob);
    return { ok: true, deleted: true };
  });
}
