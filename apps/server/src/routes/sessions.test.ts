import { SCOPES } from "@while/platform-client/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";
import { makeKey } from "../queries/keys.ts";

/** Cookies that an answer set, as a browser sends them back, and the token that its page sends beside them. */
function browserOf(headers: Headers): { cookie: string; "x-csrf-token": string } {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";")[0] as string);
  return { cookie: pairs.join("; "), "x-csrf-token": pairs.find((pair) => pair.startsWith("while_csrf="))!.slice(11) };
}

describe.each(databases)("sessions on $kind", ({ open }) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await withApp(await open());
  });
  afterAll(() => app.close());

  const codeOf = () => /\d{6}/.exec(app.mails.at(-1)?.subject ?? "")?.[0] as string;
  const me = async (headers: Record<string, string>) => app.call("GET", "/me", undefined, { headers });

  async function byMail(email: string, headers: Record<string, string> = {}) {
    await app.call("POST", "/auth/email/start", { email });
    return app.call("POST", "/auth/email/verify", { email, code: codeOf() }, { headers });
  }

  async function byLink(key: string) {
    const { body } = await app.call("POST", "/auth/sign-in-link", undefined, { key });
    return app.call("GET", body.url);
  }

  test("no script reads the session, and no other site sends it", async () => {
    const cookies = (await byMail("ada@example.org")).headers.getSetCookie();
    expect(cookies).toEqual([
      expect.stringMatching(/^while_session=zs_[0-9a-f]{48}; HttpOnly; Path=\/; SameSite=Strict; Max-Age=2592000$/),
      expect.stringMatching(/^while_csrf=[0-9a-f]{64}; Path=\/; SameSite=Strict; Max-Age=2592000$/),
    ]);
  });

  test.each([
    ["the operator says https", { publicUrl: "https://platform.test" }, {}, true],
    [
      "a proxy of the operator says https",
      { publicUrl: null, trustProxy: true },
      { "x-forwarded-proto": "https" },
      true,
    ],
    ["anybody says https", { publicUrl: null, trustProxy: false }, { "x-forwarded-proto": "https" }, false],
  ])("Secure when %s: %#", async (_, settings, headers, secure) => {
    const other = await withApp(await open(), { settings });
    await other.call("POST", "/auth/email/start", { email: "a@b.c" });
    const code = /\d{6}/.exec(other.mails[0]?.subject ?? "")?.[0];
    const signed = await other.call("POST", "/auth/email/verify", { email: "a@b.c", code }, { headers });
    const cookies = signed.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie.endsWith("; Secure")).toBe(secure);
    await other.close();
  });

  test.each([
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ origin: "http://evil.test" }, 403],
    [{ origin: "null" }, 403],
    [{ "sec-fetch-site": "same-origin", origin: "http://platform.test" }, 200],
    [{ origin: "http://platform.test" }, 200],
    [{}, 200],
  ])("a page with %j signs in: %i", async (headers, status) => {
    expect((await byMail("ada@example.org", headers)).status).toBe(status);
  });

  test("the token belongs to its session: none, a wrong one and another session's change nothing", async () => {
    const [mine, other] = [await byMail("ada@example.org"), await byMail("ada@example.org")].map(({ headers }) =>
      browserOf(headers),
    );
    const post = (headers: Record<string, string>) =>
      app.call("POST", "/agents", { id: "csrf", name: "csrf" }, { headers });
    const { cookie } = mine!;
    expect((await post({ cookie })).status).toBe(403);
    expect((await post({ cookie, "x-csrf-token": "0".repeat(64) })).status).toBe(403);
    expect((await post({ cookie, "x-csrf-token": other!["x-csrf-token"] })).status).toBe(403);
    expect((await post(mine!)).status).toBe(200);
  });

  test("a link signs one browser in, once, and lands on the pages", async () => {
    const { accountId, key } = await app.account();
    const made = await app.call("POST", "/auth/sign-in-link", undefined, { key });
    expect(made).toMatchObject({
      status: 201,
      body: { url: expect.stringMatching(/^http:\/\/platform\.test\/sign-in\/[0-9a-f]{48}$/) },
    });
    for (const headers of [{ "sec-purpose": "prefetch;prerender" }, { purpose: "prefetch" }] as Record<
      string,
      string
    >[])
      expect((await app.call("GET", made.body.url, undefined, { headers })).status).toBe(204);
    expect((await app.call("HEAD", made.body.url)).headers.getSetCookie()).toEqual([]);
    const followed = await app.call("GET", made.body.url);
    expect([followed.status, followed.headers.get("location")]).toEqual([303, "/"]);
    const browser = browserOf(followed.headers);
    expect((await me(browser)).body).toMatchObject({ user_id: accountId, scopes: [...SCOPES] });
    const again = await app.call("GET", made.body.url);
    expect([again.status, again.headers.get("location"), again.headers.getSetCookie()]).toEqual([
      303,
      "/login?link=over",
      [],
    ]);
  });

  test("a link is over after fifteen minutes, and one that nobody made is none", async () => {
    const { key } = await app.account();
    const { body } = await app.call("POST", "/auth/sign-in-link", undefined, { key });
    app.pass(15 * 60_000 + 1);
    for (const url of [body.url, `/sign-in/${"0".repeat(48)}`])
      expect((await app.call("GET", url)).headers.get("location")).toBe("/login?link=over");
  });

  test("only a key that may do everything makes a link", async () => {
    const { services } = app;
    const { accountId, key } = await app.account({ scopes: ["keys", "runs:write"] });
    expect((await app.call("POST", "/auth/sign-in-link", undefined, { key })).status).toBe(403);
    const some = await makeKey(services, services.db, {
      accountId,
      kind: "key",
      name: "x",
      scopes: SCOPES,
      agents: ["bot"],
    });
    expect((await app.call("POST", "/auth/sign-in-link", undefined, { key: some.key })).status).toBe(403);
  });

  test("a person sees which browsers are in, and signs one out", async () => {
    const { key } = await app.account();
    const [one, two] = [browserOf((await byLink(key)).headers), browserOf((await byLink(key)).headers)];
    const { body } = await app.call("GET", "/sessions", undefined, { headers: two });
    expect(body.sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const other = body.sessions.find(({ current }: { current: boolean }) => !current);
    expect((await app.call("DELETE", `/sessions/${other.id}`, undefined, { headers: two })).status).toBe(200);
    expect((await me(one)).status).toBe(401);
    expect((await me(two)).status).toBe(200);
    expect((await app.call("DELETE", `/sessions/${other.id}`, undefined, { headers: two })).status).toBe(404);
    const { keys } = (await app.call("GET", "/keys", undefined, { headers: two })).body;
    expect((await app.call("DELETE", `/sessions/${keys[0].id}`, undefined, { headers: two })).status).toBe(404);
  });

  test("signing out makes the browser forget, and the session end", async () => {
    const browser = browserOf((await byMail("ada@example.org")).headers);
    const out = await app.call("POST", "/auth/sign-out", undefined, { headers: browser });
    expect(out.headers.getSetCookie()).toEqual([
      "while_session=; Path=/; SameSite=Strict; Max-Age=0",
      "while_csrf=; Path=/; SameSite=Strict; Max-Age=0",
    ]);
    expect((await me(browser)).status).toBe(401);
  });

  test("the account of a first key takes an address, and is signed in to by it", async () => {
    const { accountId, key } = await app.account();
    const browser = browserOf((await byLink(key)).headers);
    const claim = (code: string, email = "owner@example.org", headers: Record<string, string> = browser) =>
      app.call("POST", "/auth/email/claim", { email, code }, { headers });
    await app.call("POST", "/auth/email/start", { email: "owner@example.org" });
    const code = codeOf();
    expect((await claim(code, "owner@example.org", { cookie: browser.cookie })).status).toBe(403);
    expect((await claim(code === "000000" ? "000001" : "000000")).status).toBe(400);
    expect(await claim(code)).toMatchObject({ status: 200, body: { email: "owner@example.org" } });
    expect((await byMail("owner@example.org")).body.user_id).toBe(accountId);
    await app.call("POST", "/auth/email/start", { email: "second@example.org" });
    expect((await claim(codeOf(), "second@example.org")).status).toBe(400);
  });

  test("an address of another account is not claimed", async () => {
    await byMail("taken@example.org");
    const browser = browserOf((await byLink((await app.account()).key)).headers);
    await app.call("POST", "/auth/email/start", { email: "taken@example.org" });
    const claimed = await app.call(
      "POST",
      "/auth/email/claim",
      { email: "taken@example.org", code: codeOf() },
      { headers: browser },
    );
    expect(claimed).toMatchObject({ status: 409, body: { code: "account_exists" } });
  });

  test("a login of a terminal is shown, denied and approved from the browser", async () => {
    const browser = browserOf((await byMail("ada@example.org")).headers);
    for (const approve of [false, true]) {
      const asked = (await app.call("POST", "/device/code", { name: "cli laptop" })).body;
      const shown = await app.call("GET", `/device/request?code=${asked.user_code}`, undefined, { headers: browser });
      expect(shown.body).toMatchObject({ user_code: asked.user_code, name: "cli laptop", address: "unknown" });
      const decide = (headers: Record<string, string>) =>
        app.call("POST", "/device/decide", { user_code: asked.user_code, approve }, { headers });
      expect((await decide({ cookie: browser.cookie })).status).toBe(403);
      expect((await decide(browser)).body).toEqual({ approved: approve });
      const { status, body } = await app.call("POST", "/device/token", asked);
      expect([status, typeof body.api_key]).toEqual(approve ? [200, "string"] : [400, "undefined"]);
    }
  });

  test("who signed in and how is written down, and no link, code or session in clear", async () => {
    const { accountId, key } = await app.account();
    const { url } = (await app.call("POST", "/auth/sign-in-link", undefined, { key })).body;
    const browser = browserOf((await app.call("GET", url)).headers);
    const { entries } = (await app.call("GET", "/audit", undefined, { headers: browser })).body;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(["signIn", "createSignInLink"]);
    expect(entries[0]).toMatchObject({ user_id: accountId, after: "link" });
    const token = url.split("/").at(-1);
    const session = /zs_[0-9a-f]+/.exec(browser.cookie)?.[0] as string;
    const links = await app.services.db.selectFrom("sign_in_links").selectAll().execute();
    const keys = await app.services.db.selectFrom("keys").selectAll().execute();
    for (const secret of [token, session]) {
      expect(app.logged.join("")).not.toContain(secret);
      expect(JSON.stringify([links, keys, entries])).not.toContain(secret);
    }
  });
});
