import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type Answer, type TestApp, withApp } from "../../test/with-app.ts";

describe.each(databases)("device codes on $kind", ({ open }) => {
  let app: TestApp;
  let session: string;
  beforeAll(async () => {
    app = await withApp(await open());
    await app.call("POST", "/auth/email/start", { email: "ada@example.org" });
    const code = /\d{6}/.exec(app.mails[0]?.subject ?? "")?.[0];
    session = (await app.call("POST", "/auth/email/verify", { email: "ada@example.org", code })).body.session;
  });
  afterAll(() => app.close());

  const begin = async () => (await app.call("POST", "/device/code", { name: "cli laptop" })).body;
  const poll = ({ device_code, user_code }: Answer["body"]) =>
    app.call("POST", "/device/token", { device_code, user_code });
  const decide = (user_code: string, approve: boolean) =>
    app.call("POST", "/device/decide", { user_code, approve }, { key: session });

  test("a code waits, is shown to the person, is approved, and gives its key once", async () => {
    const code = await begin();
    expect(code).toMatchObject({
      expires_in: 900,
      interval: 5,
      verification_uri_complete: `http://platform.test/device?code=${code.user_code}`,
    });
    expect(code.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: "authorization_pending" } });
    const typed = code.user_code.toLowerCase().replace("-", " ");
    const shown = await app.call("GET", `/device/request?code=${encodeURIComponent(typed)}`, undefined, {
      key: session,
    });
    expect(shown.body).toMatchObject({ user_code: code.user_code, name: "cli laptop" });
    expect(await decide(typed, true)).toMatchObject({ body: { approved: true } });
    const given = await poll(code);
    expect(given.body.api_key).toMatch(/^zp_[0-9a-f]{48}$/);
    expect(await app.call("GET", "/me", undefined, { key: given.body.api_key })).toMatchObject({
      body: { user_id: given.body.user_id, email: "ada@example.org" },
    });
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: "expired_token" } });
  });

  test("who polls faster than the interval is told to slow down", async () => {
    const code = await begin();
    await poll(code);
    expect(await poll(code)).toMatchObject({ status: 400, body: { error: "slow_down" } });
    app.pass(5000);
    expect(await poll(code)).toMatchObject({ body: { error: "authorization_pending" } });
  });

  test("a denied code is denied, an old one is over, and a stranger's is none", async () => {
    const denied = await begin();
    await decide(denied.user_code, false);
    expect(await poll(denied)).toMatchObject({ body: { error: "access_denied" } });
    const old = await begin();
    app.pass(901_000);
    expect(await poll(old)).toMatchObject({ body: { error: "expired_token" } });
    const [mine, other] = [await begin(), await begin()];
    expect(await poll({ device_code: mine.device_code, user_code: other.user_code })).toMatchObject({
      body: { error: "expired_token" },
    });
  });

  test("only a signed-in person approves, never a key", async () => {
    const code = await begin();
    const { key } = await app.account();
    expect(
      await app.call("POST", "/device/decide", { user_code: code.user_code, approve: true }, { key }),
    ).toMatchObject({ status: 403 });
  });

  test("ten wrong codes close the guessing for an hour", async () => {
    for (let i = 0; i < 10; i += 1) expect(await decide("BBBB-BBBB", true)).toMatchObject({ status: 400 });
    expect(await decide((await begin()).user_code, true)).toMatchObject({ status: 429 });
    app.pass(3_601_000);
    expect(await decide((await begin()).user_code, true)).toMatchObject({ status: 200 });
  });
});
