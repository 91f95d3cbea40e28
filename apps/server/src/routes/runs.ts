import { randomBytes } from "node:crypto";
import {
  deleteRun,
  finishRun,
  getRun as getRunRoute,
  isRunSpec,
  listRuns as listRunsRoute,
  openRun,
  patchRun,
  type RunPatch,
  type RunRecord,
  type RunSpec,
  runEvents as runEventsRoute,
  SUMMARY_MAX_BYTES,
  type TrainingRunSpec,
} from "@while/platform-client/contract";
import { seedOf, trainCurve } from "@while/platform-client/rules";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import type { RunTable } from "../db/tables.ts";
import { OVERWRITE, writeAudit } from "../http/audit.ts";
import { type Caller, checkAgent } from "../http/caller.ts";
import { HttpError } from "../http/http-error.ts";
import { type AskedWithKey, type Mounting, mount } from "../http/mount.ts";
import { factsChanged } from "../queries/agent-facts-changed.ts";
import { slugOfAgent } from "../queries/agents.ts";
import { lockAgent, refreshNewest } from "../queries/newest-scores.ts";
import { pointsOf, pointWire } from "../queries/points.ts";
import { countRuns, getRun, listRuns, runWire, sortedRuns } from "../queries/runs.ts";
import { scoresOfRuns } from "../queries/scores.ts";
import { touchRun } from "../queries/touch-run.ts";
import { dismissedText } from "../runs/dismissed-text.ts";
import { mergeRecord, mergeSummary } from "../runs/merge-record.ts";
import { runEvents } from "../runs/run-events.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime } from "../services.ts";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** `run_` and ten characters that nobody misreads. */
function newRunId(): string {
  return `run_${Array.from(randomBytes(10), (byte) => BASE32[byte % 32]).join("")}`;
}

/** A run that the key may see. */
export async function visibleRun(db: Db, caller: Caller, id: string): Promise<RunTable> {
  const run = await getRun(db, caller.accountId, id);
  if (run.slug !== null) checkAgent(caller, run.slug);
  return run;
}

async function wireOf(db: Db, run: RunTable) {
  return runWire(run, (await scoresOfRuns(db, [run.uid], { whole: true })).get(run.uid));
}

const json = (value: unknown) => (value == null ? null : JSON.stringify(value));

function summaryText(summary: Record<string, unknown>): string {
  const text = JSON.stringify(summary);
  const bytes = Buffer.byteLength(text);
  if (bytes > SUMMARY_MAX_BYTES) {
    throw new HttpError("too_large", `The summary would have ${bytes} bytes and may have ${SUMMARY_MAX_BYTES}.`, {
      field: "summary",
    });
  }
  return text;
}

type Fresh = Omit<RunTable, "uid" | "account_id" | "revision" | "created_at" | "updated_at" | "id">;

const EMPTY: Fresh = {
  slug: null,
  agent_id: null,
  version: "",
  name: null,
  base: null,
  method: null,
  targets: "[]",
  trained_on: "[]",
  harness: null,
  gpu: null,
  hours: null,
  seconds: null,
  cost_usd: null,
  steps: null,
  total_steps: null,
  status: "running",
  error: null,
  notes: null,
  archived: 0,
  summary: null,
  record: null,
  dataset_id: null,
  after_dataset_id: null,
  trainer: null,
  adapter: null,
  config: null,
  seed: null,
  dismissed: null,
};

async function fieldsOf(db: Db, caller: Caller, body: RunSpec | TrainingRunSpec): Promise<Fresh> {
  if (!isRunSpec(body)) {
    return {
      ...EMPTY,
      version: body.name,
      name: body.name,
      base: body.base_model ?? null,
      total_steps: body.total_steps ?? null,
      dataset_id: body.dataset_id ?? null,
      after_dataset_id: body.after_dataset_id ?? null,
      trainer: body.trainer ?? null,
      config: json(body.config),
    };
  }
  checkAgent(caller, body.agent);
  const slug = await slugOfAgent(db, caller.accountId, body.agent);
  return {
    ...EMPTY,
    slug,
    agent_id: body.agent,
    version: body.version,
    base: body.base ?? null,
    method: body.method ?? null,
    targets: JSON.stringify(body.targets ?? []),
    trained_on: JSON.stringify(body.trainedOn ?? []),
    harness: body.harness ?? null,
    gpu: body.gpu ?? null,
    record: json(body.record),
    seed: seedOf(body),
  };
}

export function runRoutes(mounting: Mounting): void {
  mount(mounting, openRun, async ({ services, caller, body, request, requestId, address }) => {
    const { db, now } = services;
    const asked = isRunSpec(body) ? (body.id ?? null) : null;
    return inTransaction(db, async (transaction) => {
      const fields = await fieldsOf(transaction, caller, body);
      const id = asked ?? newRunId();
      const before = await transaction
        .selectFrom("runs")
        .selectAll()
        .where("account_id", "=", caller.accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      if (before !== undefined) {
        if (before.slug !== null) {
          checkAgent(caller, before.slug);
          await lockAgent(transaction, caller.accountId, before.slug);
        }
        if (request.headers.get("if-none-match") === "*") {
          throw new HttpError(
            "precondition_failed",
            `Run ${id} is there already. Choose another id, or send no If-None-Match.`,
          );
        }
        const scores = (await scoresOfRuns(transaction, [before.uid], { whole: false })).get(before.uid);
        await writeAudit(transaction, {
          at: isoTime(now()),
          account_id: caller.accountId,
          key_id: caller.keyId,
          address,
          action: OVERWRITE,
          resource: `/runs/${id}`,
          request_id: requestId,
          detail: JSON.stringify(runWire(before, scores)),
        });
        await removeRun(transaction, caller.accountId, before);
      }
      const at = isoTime(now());
      const row: RunTable = {
        uid: newId("uid"),
        account_id: caller.accountId,
        id,
        ...fields,
        revision: 1,
        created_at: at,
        updated_at: at,
      };
      await transaction.insertInto("runs").values(row).execute();
      if (row.slug !== null) {
        await transaction
          .updateTable("agents")
          // What the newest run claims decides which behavior the page begins with: the verdict in the list is another.
          .set((e) => ({ last_activity_at: at, facts: e("facts", "+", 1) }))
          .where("account_id", "=", caller.accountId)
          .where("slug", "=", row.slug)
          .execute();
      }
      return { ...runWire(row), ...(before === undefined ? {} : { overwrote: true }) };
    });
  });

  mount(mounting, listRunsRoute, async ({ services, caller, query }) => {
    const { db } = services;
    let slug: string | null = null;
    if (query.agent != null) {
      checkAgent(caller, query.agent);
      slug = await slugOfAgent(db, caller.accountId, query.agent);
    } else if (caller.agents !== null) {
      return { runs: [] };
    }
    if ((query.sort === "score" || query.sort === "n") && query.behavior == null) {
      throw new HttpError("invalid_field", `sort=${query.sort} wants the behavior whose it is.`, { field: "behavior" });
    }
    const asked = { ...query, slug };
    const sorted = (query.sort ?? "created") !== "created" || query.order === "asc";
    const [{ rows, nextCursor }, total] = await Promise.all([
      sorted ? sortedRuns(db, caller.accountId, asked) : listRuns(db, caller.accountId, asked),
      query.limit == null ? null : countRuns(db, caller.accountId, asked),
    ]);
    const scores = await scoresOfRuns(
      db,
      rows.map(({ uid }) => uid),
      { whole: false },
    );
    return { runs: rows.map((row) => runWire(row, scores.get(row.uid))), total: total ?? rows.length, nextCursor };
  });

  mount(mounting, getRunRoute, async ({ services, caller, params, query }) => {
    const { db } = services;
    const run = await visibleRun(db, caller, params.id as string);
    const [wire, points] = await Promise.all([wireOf(db, run), pointsOf(db, run.uid, query)]);
    let curve = points.map(pointWire);
    if (query.max_points != null) {
      const shown = new Set(trainCurve(wire, curve, { maxPoints: query.max_points }).steps);
      curve = curve.filter(({ step }) => shown.has(step));
    }
    return run.slug === null ? { ...wire, series: curve } : { ...wire, train: curve };
  });

  mount(mounting, patchRun, patch);

  mount(mounting, deleteRun, async ({ services, caller, params }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    await inTransaction(services.db, async (transaction) => {
      if (run.slug !== null) await lockAgent(transaction, caller.accountId, run.slug);
      await removeRun(transaction, caller.accountId, run);
    });
    return { ok: true, deleted: true };
  });

  mount(mounting, finishRun, async ({ services, caller, params, body }) => {
    const { db, now } = services;
    const status = body.status ?? "done";
    const { uid, id } = await visibleRun(db, caller, params.id as string);
    await inTransaction(db, async (transaction) => {
      await touchRun(transaction, uid, now());
      const { summary } = await transaction
        .selectFrom("runs")
        .select("summary")
        .where("uid", "=", uid)
        .executeTakeFirstOrThrow();
      await transaction
        .updateTable("runs")
        .set({
          status,
          ...(body.summary == null
            ? {}
            : { summary: summaryText(mergeSummary(JSON.parse(summary ?? "null"), body.summary)) }),
          ...(body.adapter == null ? {} : { adapter: body.adapter }),
          ...(body.error == null ? {} : { error: body.error }),
        })
        .where("uid", "=", uid)
        .execute();
    });
    return { runId: id, status };
  });

  mount(mounting, runEventsRoute, async ({ services, caller, params, query, request }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    // A browser that connects again says by itself where it was.
    const last = Number(request.headers.get("last-event-id") ?? (query.after === "now" ? run.revision : 0));
    const after = Number.isFinite(last) ? last : 0;
    const stop = new AbortController();
    const events = runEvents(services.db, { uid: run.uid, after, signal: stop.signal });
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => stop.abort(),
    });
    // A browser's end of the connection is known here even where nobody pulls.
    request.signal.addEventListener("abort", () => stop.abort());
    return new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    });
  });
}

function recordColumns(record: RunRecord): Pick<RunTable, "record" | "seed"> {
  return { record: JSON.stringify(record), seed: seedOf({ record }) };
}

/** Deletes a run with all that hangs off it; of its version an older score may be the newest one now. */
async function removeRun(
  db: Db,
  accountId: string,
  { uid, slug, version }: Pick<RunTable, "uid" | "slug" | "version">,
): Promise<void> {
  await db.deleteFrom("runs").where("uid", "=", uid).execute();
  if (slug !== null) await refreshNewest(db, { accountId, slug, version });
}

async function patch({ services, caller, params, body, request }: AskedWithKey<RunPatch, unknown>) {
  const { db, now } = services;
  const { uid, slug, version } = await visibleRun(db, caller, params.id as string);
  const shelved = slug !== null && body.archived != null;
  const reclaimed = slug !== null && body.targets !== undefined;
  const reseeded = slug !== null && (body.record === null || body.record?.optimizer !== undefined);
  await inTransaction(db, async (transaction) => {
    if (shelved || reclaimed || reseeded) await lockAgent(transaction, caller.accountId, slug);
    const revision = await touchRun(transaction, uid, now());
    const wanted = request.headers.get("if-match");
    if (wanted !== null && wanted !== "*" && wanted !== `"${revision - 1}"`) {
      throw new HttpError("precondition_failed", "The run changed since it was read. Read it again and change that.");
    }
    const before = await transaction
      .selectFrom("runs")
      .select(["record", "summary", "dismissed"])
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    const set: Partial<RunTable> = {
      ...(body.status == null ? {} : { status: body.status }),
      ...(body.record == null ? {} : recordColumns(mergeRecord(JSON.parse(before.record ?? "null"), body.record))),
      ...(body.record === null ? { record: null, seed: null } : {}),
      ...(body.hours === undefined ? {} : { hours: body.hours }),
      ...(body.gpu === undefined ? {} : { gpu: body.gpu }),
      ...(body.costUsd === undefined ? {} : { cost_usd: body.costUsd }),
      ...(body.steps === undefined ? {} : { steps: body.steps }),
      ...(body.summary == null
        ? {}
        : { summary: summaryText(mergeSummary(JSON.parse(before.summary ?? "null"), body.summary)) }),
      ...(body.summary === null ? { summary: null } : {}),
      ...(body.notes === undefined ? {} : { notes: body.notes }),
      ...(body.error === undefined ? {} : { error: body.error }),
      ...(body.archived == null ? {} : { archived: body.archived ? 1 : 0 }),
      ...(body.targets === undefined ? {} : { targets: JSON.stringify(body.targets ?? []) }),
      ...(body.method === undefined ? {} : { method: body.method }),
      ...(body.trainedOn === undefined ? {} : { trained_on: JSON.stringify(body.trainedOn ?? []) }),
      ...(body.dismiss == null
        ? {}
        : { dismissed: dismissedText(before.dismissed, body.dismiss, { by: caller.keyName, at: isoTime(now()) }) }),
    };
    if (Object.keys(set).length > 0) await transaction.updateTable("runs").set(set).where("uid", "=", uid).execute();
    if (shelved) await refreshNewest(transaction, { accountId: caller.accountId, slug, version });
    if (reclaimed || reseeded) await factsChanged(transaction, caller.accountId, slug);
  });
  return wireOf(db, await getRun(db, caller.accountId, params.id as string));
}
