import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";
import { auditHash, brokenAuditEntry } from "./audit.ts";

describe.each(databases)("the audit log on $kind", ({ open }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await withApp(await open());
  });
  afterAll(() => app.close());

  test("says who did what, newest first by page, and a change to it shows", async () => {
    const { accountId, key } = await app.account();
    const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
    await call("POST", "/agents", { id: "bot", name: "bot" });
    await call("POST", "/runs", { agent: "bot", version: "v1", id: "run" });
    await call("POST", "/runs/run/train", [{ step: 1, loss: 1 }]);
    await call("GET", "/runs/run");
    await call("DELETE", "/agents/bot");
    const { entries, nextCursor } = (await call("GET", "/audit?limit=2")).body;
    expect(entries).toMatchObject([
      { action: "deleteAgent", resource: "/agents/bot", user_id: accountId },
      { action: "openRun", resource: "/runs" },
    ]);
    // Reads are not written down, and neither are the points of a curve: there would be little else.
    expect((await call("GET", `/audit?cursor=${nextCursor}`)).body).toMatchObject({
      entries: [{ action: "upsertAgent" }],
      nextCursor: null,
    });
    const { db } = app.services;
    expect(await brokenAuditEntry(db, accountId)).toBeNull();
    await db.updateTable("audit").set({ action: "nothing" }).where("seq", "=", entries[1].seq).execute();
    expect(await brokenAuditEntry(db, accountId)).toBe(entries[1].seq);
    await db.deleteFrom("audit").where("seq", "=", entries[1].seq).execute();
    expect(await brokenAuditEntry(db, accountId)).toBe(entries[0].seq);
  });

  test("many that write at once make one chain, and what was refused is not in it", async () => {
    const { accountId, key } = await app.account();
    const call = (method: string, path: string, body?: unknown) => app.call(method, path, body, { key });
    await call("POST", "/agents", { id: "busy", name: "busy" });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => [
        call("POST", "/runs", { agent: "busy", version: `v${i}`, id: `busy-${i}` }),
        call("PUT", `/agents/busy/behaviors/b${i % 3}`, { n: i + 1 }),
        call("POST", "/runs", { agent: "nobody", version: "v1" }),
      ]).flat(),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(48);
    const { db } = app.services;
    expect(await brokenAuditEntry(db, accountId)).toBeNull();
    const entries = await db.selectFrom("audit").select("action").where("account_id", "=", accountId).execute();
    expect(entries).toHaveLength(49);
  });
});

test("each field of an entry is in its hash", () => {
  const entry = {
    at: "t",
    account_id: "a",
    key_id: "k",
    address: "x",
    action: "do",
    resource: "/r",
    request_id: "q",
    detail: null,
  };
  const hash = auditHash("0", entry);
  for (const field of Object.keys(entry)) expect(auditHash("0", { ...entry, [field]: "other" })).not.toBe(hash);
  expect(auditHash("1", entry)).not.toBe(hash);
});
