import { createHash } from "node:crypto";
import type { Dataset } from "@while/platform-client/contract";
import { toWire } from "@while/schema";
import { publishGate } from "@while/select";
import { decontaminateSync } from "@while/trust";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";
import { GateQueue } from "../datasets/gate-queue.ts";
import type { DatasetTable } from "../db/tables.ts";
import { makeKey } from "../queries/keys.ts";

const ROWS = [
  { scenario_id: "s1", prompt: "café", reward: 1 },
  { scenario_id: "s1", prompt: "café", reward: 0 },
  { scenario_id: "s2", prompt: "b", reward: 0 },
];
const JSONL = `${ROWS.map((row) => JSON.stringify(row)).join("\n")}\n`;

describe.each(databases)("datasets on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
  });
  afterAll(() => app.close());

  async function push(body: Record<string, unknown> = {}, text = JSONL, as = key) {
    const made = await app.call("POST", "/datasets", { name: "set", ...body }, { key: as });
    const put = await app.call("PUT", made.body.uploadUrl, text, { headers: { "content-type": "application/jsonl" } });
    const finalized = await app.call("POST", `/datasets/${made.body.datasetId}/finalize`, undefined, { key: as });
    return { id: made.body.datasetId as string, made, put, finalized };
  }

  async function pull(id: string, as = key) {
    const grant = await app.call("GET", `/datasets/${id}/download`, undefined, { key: as });
    return Promise.all(
      (grant.body.parts as string[]).map(async (part) => (await app.call("GET", part)).body as string),
    );
  }

  test("three steps make a set whose bytes come back as they were pushed", async () => {
    const { id, made, put, finalized } = await push({ agent: "Refund Bot", mode: "rl" });
    expect(made).toMatchObject({ status: 201, body: { status: "uploading", agent: "refund-bot", rows: null } });
    expect(id).toMatch(/^ds_[0-9a-f]{16}$/);
    expect(put.body).toEqual({ ok: true, sizeBytes: Buffer.byteLength(JSONL) });
    const sha256 = createHash("sha256").update(JSONL).digest("hex");
    expect(finalized.body).toMatchObject({
      datasetId: id,
      status: "ready",
      rows: 3,
      tasks: 2,
      sha256,
      purpose: "train",
      mode: "rl",
    });
    expect((await app.call("POST", `/datasets/${id}/finalize`, undefined, { key })).body).toEqual(finalized.body);
    expect(await pull(id)).toEqual([JSONL]);
  });

  test("profile and preview say what is in it", async () => {
    const { id } = await push();
    const { profile } = (await app.call("GET", `/datasets/${id}/profile`, undefined, { key })).body;
    expect(profile).toMatchObject({ rows: 3, pass_rate: 0.333, mixed_tasks: 1, per_task_complete: true });
    expect((await app.call("GET", `/datasets/${id}/profile?force=1`, undefined, { key })).body.profile).toEqual(
      profile,
    );
    expect((await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body.rows).toEqual(ROWS);
  });

  test("the gate says of a set what wai gate says of its file, and is asked once", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      task_id: `t${i % 10}`,
      prompt: `p${i % 10}`,
      final_text: `reply ${i}`,
      reward: i % 10,
    }));
    const graded = rows.map((row, i) => ({ ...row, reward: (i * 7) % 3 > 0 ? 1 : 0 }));
    const { id } = await push({ mode: "rl" }, graded.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const preview = async () => (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body;
    const { report } = await preview();
    const direct = toWire(publishGate(graded, { strict: false, mode: "rl" }).report);
    expect(report).toEqual(JSON.parse(JSON.stringify(direct)));
    const set = (fields: Partial<DatasetTable>) =>
      app.services.db.updateTable("datasets").set(fields).where("id", "=", id).execute();
    await set({ gate: JSON.stringify({ kept: true }) });
    expect((await preview()).report).toEqual({ kept: true });
    await set({ gate_state: "pending", row_count: 100_001 });
    expect((await preview()).report.not_run).toContain("The set has 100001 rows");
    expect((await app.call("GET", `/datasets/${id}`, undefined, { key })).body).toMatchObject({
      gateState: "too_large",
      warnings: null,
    });
  });

  /** What the gate said once it has read the set, however long it takes. */
  async function gated(id: string): Promise<Dataset> {
    for (;;) {
      const { body } = await app.call("GET", `/datasets/${id}`, undefined, { key });
      if (body.gateState !== "pending") return body;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test("a large set is answered at once and gated behind the answer; small ones need not wait for it", async () => {
    const rows = Array.from({ length: 2001 }, (_, i) => ({ task_id: `t${i % 500}`, prompt: "p", reward: i % 2 }));
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    // Its finalize reads the bytes at once; the gate, which is the next to read them, has to wait for them.
    const { blobs } = app.services;
    const read = new Set<string>();
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    app.services.blobs = {
      ...blobs,
      get: async (name, range) => {
        if (read.has(name)) await held;
        read.add(name);
        return blobs.get(name, range);
      },
    };
    const { id, finalized } = await push({ mode: "rl" }, text);
    app.services.blobs = blobs;
    expect(finalized.body).toMatchObject({ status: "ready", rows: 2001, gateState: "pending", warnings: null });
    expect((await push()).finalized.body).toMatchObject({ gateState: "done", warnings: expect.any(Number) });
    expect((await app.call("GET", `/datasets/${id}`, undefined, { key })).body.gateState).toBe("pending");
    letGo();
    const direct = publishGate(rows, { strict: false, mode: "rl" }).report;
    expect(await gated(id)).toMatchObject({ gateState: "done", warnings: direct.warnings.length });
  });

  test("a holdout is read as rows to measure on, and a set whose purpose or mode changes is read again", async () => {
    const report = async (id: string) =>
      (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body.report;
    const { id } = await push({ purpose: "holdout" });
    expect(await report(id)).toMatchObject({ purpose: "eval", mode: null });
    await app.call("POST", `/datasets/${id}/meta`, { purpose: "train", mode: "rl" }, { key });
    await gated(id);
    expect(await report(id)).toMatchObject({ purpose: "train", mode: "rl" });
  });

  test("what a server that was killed had not read is read by the next; a replica that is there is not disturbed", async () => {
    const { id } = await push();
    const set = (fields: Partial<DatasetTable>) =>
      app.services.db.updateTable("datasets").set(fields).where("id", "=", id).execute();
    const waiting = { gate_state: "pending", gate: null, gate_warnings: null, gate_tries: 1 } as const;
    const inAnHour = new Date(app.services.now() + 3_600_000).toISOString();
    const aMinuteAgo = new Date(app.services.now() - 60_000).toISOString();
    const next = new GateQueue(app.services);
    await set({ ...waiting, gate_lease: `${inAnHour} another` });
    await next.request({ id, row_count: 3 });
    expect((await app.call("GET", `/datasets/${id}`, undefined, { key })).body).toMatchObject({ gateState: "pending" });
    await set({ ...waiting, gate_lease: `${aMinuteAgo} gone` });
    await next.start();
    expect(await gated(id)).toMatchObject({ gateState: "done", warnings: expect.any(Number) });
    await set({ ...waiting, gate_tries: 10 });
    await next.request({ id, row_count: 3 });
    const { report } = (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body;
    expect(report.not_run).toContain("ended 10 times over this set");
    await next.stop();
  });

  test("a report of rules before these is made anew by a server that starts", async () => {
    const { id } = await push();
    const old = { gate: JSON.stringify({ old: true }), gate_version: 1 };
    await app.services.db.updateTable("datasets").set(old).where("id", "=", id).execute();
    const next = new GateQueue(app.services);
    await next.start();
    await gated(id);
    const { report } = (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body;
    expect(report).toHaveProperty("warnings");
    expect(report).not.toHaveProperty("old");
    await next.stop();
  });

  test("a set whose bytes are gone is said to be unread, with why", async () => {
    const { id } = await push();
    const part = await app.services.db
      .selectFrom("dataset_parts")
      .selectAll()
      .where("dataset_id", "=", id)
      .executeTakeFirstOrThrow();
    await app.services.blobs.delete(part.blob);
    await app.services.db.updateTable("datasets").set({ gate_state: "pending" }).where("id", "=", id).execute();
    const { report } = (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body;
    expect(report.not_run).toContain("gone from the store");
    expect((await app.call("GET", `/datasets/${id}`, undefined, { key })).body.gateState).toBe("failed");
  });

  test("a holdout knows its train set, and the train set its holdout", async () => {
    const { id } = await push({ name: "family" });
    const holdout = await push(
      { name: "family-holdout", purpose: "holdout", parentDatasetId: id },
      '{"task_id":"h"}\n',
    );
    expect(holdout.finalized.body).toMatchObject({ parentDatasetId: id, siblings: { train: id } });
    const { body } = await app.call("GET", `/datasets/${id}`, undefined, { key });
    expect(body).toMatchObject({ children: [holdout.id], siblings: { holdout: holdout.id } });
  });

  test("rows are read by page, each once, whatever their letters", async () => {
    const rows = Array.from({ length: 25 }, (_, i) => ({
      task_id: `t${i}`,
      prompt: i % 4 ? "ask" : "日本語 \u{1f600} é",
    }));
    // A mark before the first line, an empty line and a last line without an end are all in a file now and then.
    const text = `\ufeff${rows.map((row) => JSON.stringify(row)).join("\n\n")}`;
    const { id } = await push({ name: "paged" }, text);
    const seen: unknown[] = [];
    let cursor = "";
    for (let page = 0; page < 9; page += 1) {
      const { body } = await app.call(
        "GET",
        `/datasets/${id}/rows?limit=4${cursor && `&cursor=${cursor}`}`,
        undefined,
        { key },
      );
      expect(body.rows.length).toBe(page < 6 ? 4 : 1);
      seen.push(...body.rows);
      cursor = body.nextCursor ?? "";
      if (cursor === "") break;
    }
    expect(seen).toEqual(rows);
    expect((await app.call("GET", `/datasets/${id}/rows`, undefined, { key })).body.rows).toHaveLength(20);
    for (const bad of ["x", "0--1", "-1-0"]) {
      expect(await app.call("GET", `/datasets/${id}/rows?cursor=${bad}`, undefined, { key })).toMatchObject({
        status: 400,
      });
    }
    expect((await app.call("GET", `/datasets/${id}/rows?cursor=7-0`, undefined, { key })).body).toEqual({
      rows: [],
      nextCursor: null,
    });
  });

  test("a set knows its whole family, parents before children", async () => {
    const root = (await push({ name: "root" })).id;
    const left = (await push({ name: "left", parentDatasetId: root })).id;
    const right = (await push({ name: "right", purpose: "holdout", parentDatasetId: root })).id;
    const leaf = (await push({ name: "leaf", parentDatasetId: left })).id;
    for (const asked of [root, leaf, right]) {
      const { body } = await app.call("GET", `/datasets/${asked}/lineage`, undefined, { key });
      expect([body.root, body.nodes.map(({ datasetId }: { datasetId: string }) => datasetId)]).toEqual([
        root,
        [root, left, right, leaf],
      ]);
    }
  });

  test("a list says what profile and gate found in a number each", async () => {
    const { id, finalized } = await push({ name: "numbers" });
    expect(finalized.body).toMatchObject({ passRate: 0.333, mixedTasks: 1, gateState: "done" });
    const { report } = (await app.call("GET", `/datasets/${id}/preview`, undefined, { key })).body;
    const { datasets } = (await app.call("GET", "/datasets?q=numbers", undefined, { key })).body;
    expect(datasets[0]).toMatchObject({ passRate: 0.333, mixedTasks: 1, warnings: report.warnings.length });
  });

  test("rows that the holdout holds too are found as wai decontaminate finds them", async () => {
    const shared = { task_id: "held", prompt: "Where is my parcel? It was sent a week ago." };
    const holdout = await push({ purpose: "holdout", sealed: true }, `${JSON.stringify(shared)}\n`);
    const train = [...ROWS, { ...shared, reward: 1 }, { task_id: "n", prompt: shared.prompt.toUpperCase(), reward: 0 }];
    const { id } = await push({}, train.map((row) => JSON.stringify(row)).join("\n"));
    const check = (against: string, as = key) =>
      app.call("POST", `/datasets/${id}/contamination`, { against }, { key: as });
    const { body } = await check(holdout.id);
    expect(body).toEqual(JSON.parse(JSON.stringify(toWire(decontaminateSync(train, [shared]).report))));
    expect(body).toMatchObject({ n: 5, n_contaminated: 2, n_same_task: 1, n_exact: 1 });
    expect((await check("ds_none")).status).toBe(404);
    const { key: trainer } = await makeKey(app.services, app.services.db, {
      accountId: (await app.call("GET", "/me", undefined, { key })).body.user_id,
      kind: "key",
      name: "trainer",
      scopes: ["data:read"],
    });
    // A sealed holdout is not read by way of what it shares, either.
    expect(await check(holdout.id, trainer)).toMatchObject({ status: 403 });
    expect((await app.call("GET", `/datasets/${holdout.id}/rows`, undefined, { key: trainer })).status).toBe(403);
    await app.services.db.updateTable("datasets").set({ row_count: 20_001 }).where("id", "=", id).execute();
    expect(await check(holdout.id)).toMatchObject({
      status: 413,
      body: { error: expect.stringContaining("20001 rows") },
    });
  });

  test("the same bytes again are named a duplicate", async () => {
    const text = '{"task_id":"twice"}\n';
    const first = await push({}, text);
    expect((await push({}, text)).finalized.body).toMatchObject({ duplicateOf: first.id });
  });

  test("a bad line is named with its number, and the set can be put again", async () => {
    const made = await app.call("POST", "/datasets", { name: "bad" }, { key });
    await app.call("PUT", made.body.uploadUrl, '{"a":1}\nnot json\n');
    const refused = await app.call("POST", `/datasets/${made.body.datasetId}/finalize`, undefined, { key });
    expect(refused).toMatchObject({ status: 422, body: { code: "invalid_rows" } });
    expect(refused.body.error).toMatch(/^Line 2 is no row: .*\(1 bad in all\)/);
    await app.call("PUT", made.body.uploadUrl, JSONL);
    expect(
      (await app.call("POST", `/datasets/${made.body.datasetId}/finalize`, undefined, { key })).body,
    ).toMatchObject({ rows: 3, sizeBytes: Buffer.byteLength(JSONL) });
  });

  test("what is not there yet is said so", async () => {
    const made = await app.call("POST", "/datasets", { name: "empty" }, { key });
    const id = made.body.datasetId;
    expect(await app.call("POST", `/datasets/${id}/finalize`, undefined, { key })).toMatchObject({
      status: 409,
      body: { code: "upload_missing" },
    });
    expect(await app.call("GET", `/datasets/${id}/profile`, undefined, { key })).toMatchObject({
      status: 409,
      body: { code: "not_finalized" },
    });
    await app.call("PUT", made.body.uploadUrl, "");
    expect((await app.call("POST", `/datasets/${id}/finalize`, undefined, { key })).body).toMatchObject({
      rows: 0,
      status: "ready",
    });
  });

  test("a link does one thing with one set for a while", async () => {
    const { id, made } = await push();
    const url = made.body.uploadUrl as string;
    expect(await app.call("PUT", url, JSONL)).toMatchObject({ status: 403, body: { code: "upload_expired" } });
    expect(await app.call("GET", url)).toMatchObject({ status: 403 });
    expect(await app.call("GET", `${url}x`)).toMatchObject({ status: 403 });
    const grant = await app.call("GET", `/datasets/${id}/download`, undefined, { key });
    app.pass(16 * 60_000);
    expect(await app.call("GET", grant.body.downloadUrl)).toMatchObject({
      status: 403,
      body: { code: "upload_expired" },
    });
  });

  test("a sealed holdout is known to a key that trains and read by one that measures", async () => {
    const { accountId, key: owner } = await app.account();
    const { id } = await push({ purpose: "holdout", sealed: true }, JSONL, owner);
    const { key: trainer } = await makeKey(app.services, app.services.db, {
      accountId,
      kind: "key",
      name: "t",
      scopes: ["data:read"],
    });
    expect(await app.call("GET", `/datasets/${id}`, undefined, { key: trainer })).toMatchObject({
      body: { sealed: true },
    });
    expect(await app.call("GET", `/datasets/${id}/download`, undefined, { key: trainer })).toMatchObject({
      status: 403,
      body: { code: "scope_missing" },
    });
    expect(await app.call("GET", `/datasets/${id}/preview`, undefined, { key: trainer })).toMatchObject({
      status: 403,
    });
    expect(await pull(id, owner)).toEqual([JSONL]);
    await app.call("GET", `/datasets/${id}/rows`, undefined, { key: owner });
    const { entries } = (await app.call("GET", "/audit", undefined, { key: owner })).body;
    const read = entries.filter(({ action }: { action: string }) => action === "readSealed");
    expect(read.map(({ resource, after }: { resource: string; after: string }) => [resource, after])).toEqual([
      [`/datasets/${id}`, "rows"],
      [`/datasets/${id}`, "download"],
    ]);
  });

  test("meta changes what is given; nothing given is refused", async () => {
    const { id } = await push({ description: "first" });
    const { body } = await app.call("POST", `/datasets/${id}/meta`, { purpose: "eval", agent: "Other" }, { key });
    expect(body).toMatchObject({ purpose: "eval", agent: "other", description: "first", version: 2 });
    expect(await app.call("POST", `/datasets/${id}/meta`, {}, { key })).toMatchObject({ status: 400 });
    expect(await app.call("POST", `/datasets/${id}/meta`, { purpose: "toy" }, { key })).toMatchObject({
      body: { field: "purpose" },
    });
  });

  test("lists are whole without a limit, and pages join to the same list", async () => {
    const { key: own } = await app.account();
    for (let i = 0; i < 7; i += 1) await push({ name: `Set_${i}%` }, '{"a":1}\n', own);
    const whole = (await app.call("GET", "/datasets", undefined, { key: own })).body.datasets as {
      datasetId: string;
    }[];
    expect(whole).toHaveLength(7);
    const paged: { datasetId: string }[] = [];
    let cursor = "";
    do {
      const { body } = await app.call("GET", `/datasets?limit=3&cursor=${cursor}`, undefined, { key: own });
      paged.push(...body.datasets);
      cursor = body.nextCursor ?? "";
    } while (cursor !== "");
    expect(paged).toEqual(whole);
    expect((await app.call("GET", "/datasets?q=set_3%25", undefined, { key: own })).body.datasets).toHaveLength(1);
    expect(await app.call("GET", "/datasets?limit=3&cursor=x", undefined, { key: own })).toMatchObject({
      status: 400,
      body: { field: "cursor" },
    });
  });

  test("a trial holds ten sets and its bytes", async () => {
    const { key: trial } = await app.account({ tier: "trial" });
    for (let i = 0; i < 10; i += 1) await app.call("POST", "/datasets", { name: `${i}` }, { key: trial });
    expect(await app.call("POST", "/datasets", { name: "eleven" }, { key: trial })).toMatchObject({
      status: 403,
      body: { code: "dataset_limit" },
    });
  });

  test("what is deleted is gone with its bytes", async () => {
    const { id } = await push();
    const { parts } = (await app.call("GET", `/datasets/${id}/download`, undefined, { key })).body;
    expect(await app.call("DELETE", `/datasets/${id}`, undefined, { key })).toMatchObject({
      body: { ok: true, deleted: true },
    });
    expect(await app.call("GET", `/datasets/${id}`, undefined, { key })).toMatchObject({ status: 404 });
    expect(await app.call("GET", parts[0])).toMatchObject({ status: 410 });
  });

  test("a set of another account, or of an agent that the key is not for, is as if there were none", async () => {
    const { id } = await push({ agent: "private" });
    const { key: stranger } = await app.account();
    const unknown = await app.call("GET", "/datasets/ds_0000000000000000", undefined, { key: stranger });
    const foreign = await app.call("GET", `/datasets/${id}`, undefined, { key: stranger });
    expect(foreign.status).toBe(404);
    expect(foreign.body.error.replace(id, "")).toBe(unknown.body.error.replace("ds_0000000000000000", ""));
    expect(
      await app.call("POST", "/datasets", { name: "child", parentDatasetId: id }, { key: stranger }),
    ).toMatchObject({ status: 404 });
  });

  test("a request that comes again with its key does its work once", async () => {
    const headers = { "idempotency-key": "11111111-1111-4111-8111-111111111111" };
    const first = await app.call("POST", "/datasets", { name: "once" }, { key, headers });
    const again = await app.call("POST", "/datasets", { name: "once" }, { key, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await app.call("POST", "/datasets", { name: "other" }, { key, headers })).toMatchObject({
      status: 409,
      body: { code: "idempotency_key_reused" },
    });
  });
});
