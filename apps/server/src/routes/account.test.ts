import { getAccount, signOut } from "@while/platform-client/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

describe.each(databases)("accounts on $kind", ({ open }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await withApp(await open());
  });
  afterAll(() => app.close());

  const codeOf = () => /\d{6}/.exec(app.mails.at(-1)?.subject ?? "")?.[0] as string;

  test("sign-up gives an account on trial and its key, with 201 as the Python client wants it", async () => {
    const { status, body } = await app.call("POST", "/signup", { email: " Ada@Example.org ", name: "laptop" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: "ada@example.org",
      name: "laptop",
      tier: "trial",
      trial: { daily_input_tokens: 25_000, datasets: 10 },
    });
    const me = await app.ask(getAccount, {}, undefined, { key: body.api_key });
    expect(me.body).toMatchObject({
      tier: "trial",
      user_id: body.user_id,
      usage: { datasets: 0, storageBytes: 0 },
      key: { name: "laptop" },
    });
  });

  test.each([
    ["ada@example.org", 409, "account_exists"],
    ["no address", 422, "invalid_email"],
  ])("sign-up of %j is refused by a bare word", async (email, status, word) => {
    expect(await app.call("POST", "/signup", { email })).toMatchObject({ status, body: { error: word, code: word } });
  });

  test("a trial ends by itself, and says so", async () => {
    const { key } = await app.account({ tier: "trial" });
    app.pass(8 * 24 * 3600 * 1000);
    expect(await app.ask(getAccount, {}, undefined, { key })).toMatchObject({
      status: 401,
      body: { code: "expired_key" },
    });
  });

  test("the code of a mail signs in once, lifts the trial, and its session signs out", async () => {
    expect(await app.call("POST", "/auth/email/start", { email: "ada@example.org" })).toMatchObject({
      status: 202,
      body: { sent: true },
    });
    const code = codeOf();
    const signed = await app.call("POST", "/auth/email/verify", { email: "ada@example.org", code });
    expect(signed.body).toMatchObject({ tier: "full" });
    expect(signed.headers.getSetCookie()[0]).toMatch(
      /^while_session=zs_[0-9a-f]{48}; HttpOnly; Path=\/; SameSite=Strict/,
    );
    expect(await app.call("POST", "/auth/email/verify", { email: "ada@example.org", code })).toMatchObject({
      status: 400,
      body: { code: "access_denied" },
    });
    const session = signed.body.session as string;
    expect((await app.ask(getAccount, {}, undefined, { key: session })).body).toMatchObject({
      tier: "full",
      trial: null,
    });
    expect(await app.ask(signOut, {}, undefined, { key: session })).toMatchObject({ status: 200 });
    expect(await app.ask(getAccount, {}, undefined, { key: session })).toMatchObject({ status: 401 });
  });

  test("five wrong codes end a code, and the right one comes too late", async () => {
    await app.call("POST", "/auth/email/start", { email: "bob@example.org" });
    const code = codeOf();
    const wrong = code === "000000" ? "000001" : "000000";
    for (let i = 0; i < 5; i += 1)
      await app.call("POST", "/auth/email/verify", { email: "bob@example.org", code: wrong });
    expect(await app.call("POST", "/auth/email/verify", { email: "bob@example.org", code })).toMatchObject({
      status: 400,
    });
  });

  test("a code is over after ten minutes", async () => {
    await app.call("POST", "/auth/email/start", { email: "eve@example.org" });
    const code = codeOf();
    app.pass(601_000);
    expect(await app.call("POST", "/auth/email/verify", { email: "eve@example.org", code })).toMatchObject({
      status: 400,
    });
  });

  test("a cookie alone changes nothing: the page's token must come with it", async () => {
    await app.call("POST", "/auth/email/start", { email: "ada@example.org" });
    const signed = await app.call("POST", "/auth/email/verify", { email: "ada@example.org", code: codeOf() });
    const [session, csrf] = signed.headers.getSetCookie().map((cookie) => cookie.split(";")[0] as string) as [
      string,
      string,
    ];
    const cookie = `${session}; ${csrf}`;
    expect(await app.call("GET", "/me", undefined, { headers: { cookie } })).toMatchObject({ status: 200 });
    expect(await app.call("POST", "/auth/sign-out", undefined, { headers: { cookie } })).toMatchObject({ status: 403 });
    const headers = { cookie, "x-csrf-token": csrf.split("=")[1] as string };
    expect(await app.call("POST", "/auth/sign-out", undefined, { headers })).toMatchObject({ status: 200 });
  });

  test("no key and no code is in the log or in a column in clear", async () => {
    const { key } = await app.account();
    await app.ask(getAccount, {}, undefined, { key });
    await app.call("GET", `/me?api_key=${key}`, undefined, { key });
    expect(app.logged.join("")).not.toContain(key);
    const rows = await app.services.db.selectFrom("keys").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/z[ps]_[0-9a-f]{10}/);
  });
});
