import { SCOPES } from "@while/platform-client/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

describe.each(databases)("keys on $kind", ({ open }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await withApp(await open());
  });
  afterAll(() => app.close());

  test("a key is made with less than its maker has, listed masked, and revoked at once", async () => {
    const { key } = await app.account();
    const made = await app.call("POST", "/keys", { name: "trainer", scopes: ["runs:write"], agents: ["Bot"] }, { key });
    expect(made).toMatchObject({ status: 201, body: { name: "trainer", scopes: ["runs:write"], agents: ["bot"] } });
    const own = made.body.api_key as string;
    const listed = (await app.call("GET", "/keys", undefined, { key })).body;
    expect(listed).toMatchObject({
      limit: 5,
      keys: [{ name: "test" }, { name: "trainer", key: `${own.slice(0, 7)}...${own.slice(-4)}` }],
    });
    expect((await app.call("GET", "/me", undefined, { key: own })).body.scopes).toEqual(["runs:write"]);
    expect(await app.call("GET", "/datasets", undefined, { key: own })).toMatchObject({
      status: 403,
      body: { code: "scope_missing" },
    });
    expect(await app.call("DELETE", `/keys/${made.body.id}`, undefined, { key })).toMatchObject({
      body: { deleted: true },
    });
    expect(await app.call("GET", "/me", undefined, { key: own })).toMatchObject({
      status: 401,
      body: { code: "invalid_key" },
    });
  });

  test("no key gives what it has not, nor more keys than an account may have", async () => {
    const { key } = await app.account({ scopes: ["keys", "data:read"] });
    expect(await app.call("POST", "/keys", { name: "more", scopes: ["admin"] }, { key })).toMatchObject({
      status: 403,
      body: { field: "scopes" },
    });
    const make = () => app.call("POST", "/keys", { name: "k", scopes: ["data:read"] }, { key });
    for (let i = 0; i < 4; i += 1) expect(await make()).toMatchObject({ status: 201 });
    expect(await make()).toMatchObject({ status: 429, body: { code: "quota_exceeded" } });
  });

  test("a key that is for some agents makes keys for those and no others", async () => {
    const { key } = await app.account({ scopes: ["keys", "data:read"], agents: ["bot"] });
    const make = (agents?: string[]) =>
      app.call("POST", "/keys", { name: "k", scopes: ["data:read"], agents }, { key });
    expect(await make(["bot", "other"])).toMatchObject({ status: 403, body: { field: "agents" } });
    expect(await make(["Bot"])).toMatchObject({ status: 201, body: { agents: ["bot"] } });
    expect(await make()).toMatchObject({ status: 201, body: { agents: ["bot"] } });
  });

  test("a key that ends is refused after its end", async () => {
    const { key } = await app.account();
    const expires_at = new Date(app.services.now() + 60_000).toISOString();
    const { body } = await app.call("POST", "/keys", { name: "short", scopes: [...SCOPES], expires_at }, { key });
    expect(await app.call("GET", "/me", undefined, { key: body.api_key })).toMatchObject({ status: 200 });
    app.pass(61_000);
    expect(await app.call("GET", "/me", undefined, { key: body.api_key })).toMatchObject({
      status: 401,
      body: { code: "expired_key" },
    });
  });

  test("a delegated credential is made from a session, lives on when refreshed, and ends when revoked", async () => {
    await app.call("POST", "/auth/email/start", { email: "ada@example.org" });
    const code = /\d{6}/.exec(app.mails.at(-1)?.subject ?? "")?.[0];
    const session = (await app.call("POST", "/auth/email/verify", { email: "ada@example.org", code })).body
      .session as string;
    const as = { headers: { authorization: `Bearer ${session}` } };
    const issued = await app.call("POST", "/auth/issue-credential", { name: "ci", ttlSeconds: 1 }, as);
    const { credential } = issued.body;
    expect(credential).toMatch(/^zp_dc_[0-9a-f]{48}$/);
    expect(Date.parse(issued.body.expiresAt) - app.services.now()).toBeGreaterThan(58_000);
    expect(await app.call("GET", "/me", undefined, { key: credential })).toMatchObject({ status: 200 });
    expect(await app.call("POST", "/auth/refresh-credential", { credential, ttlSeconds: 7200 }, as)).toMatchObject({
      status: 200,
    });
    app.pass(3_600_000);
    expect(await app.call("GET", "/me", undefined, { key: credential })).toMatchObject({ status: 200 });
    expect(await app.call("POST", "/auth/revoke-credential", { credential }, as)).toMatchObject({
      body: { revoked: true },
    });
    expect(await app.call("GET", "/me", undefined, { key: credential })).toMatchObject({ status: 401 });
    expect(await app.call("POST", "/auth/issue-credential", {}, { key: credential })).toMatchObject({ status: 401 });
  });
});
