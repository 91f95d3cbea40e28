import { createServer } from "node:http";
import { fillPath, pathParams, ROUTES, type Route, SCOPES, type Scope } from "@while/platform-client/contract";
import { spansFromRows } from "@while/schema";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../src/queries/keys.ts";
import { databases } from "./databases.ts";
import { type TestApp, withApp } from "./with-app.ts";

/** A good body for each call that takes one. */
const BODIES: Readonly<Record<string, unknown>> = {
  signUp: { email: "new@example.org" },
  startEmailSignIn: { email: "new@example.org" },
  finishEmailSignIn: { email: "new@example.org", code: "000000" },
  claimEmail: { email: "new@example.org", code: "000000" },
  startDevice: { name: "cli" },
  pollDevice: { device_code: "d", user_code: "BCDF-GHJK" },
  decideDevice: { user_code: "BCDF-GHJK", approve: true },
  createKey: { name: "k", scopes: ["data:read"] },
  issueCredential: { name: "c" },
  refreshCredential: { credential: "zp_dc_0" },
  revokeCredential: { credential: "zp_dc_0" },
  createDataset: { name: "s" },
  uploadParts: { from: 1, count: 1 },
  checkContamination: { against: "ds_none" },
  updateDataset: { purpose: "eval" },
  publishDataset: { agent: "bot" },
  postTraces: spansFromRows([{ prompt: "p", final_text: "x" }], { agent: "bot", now: 1.79e12 }),
  upsertAgent: { id: "bot", name: "bot" },
  purgeAgent: { confirm: "bot", dryRun: true },
  promote: { version: "v1" },
  putBehavior: { n: 50 },
  putExperiment: { question: "q" },
  putFigure: { figure: { data: [{ y: [1] }] } },
  postLive: [{ agent: "bot", day: "2026-09-17", version: "v1", replies: 1 }],
  openRun: { agent: "bot", version: "v2" },
  patchRun: { notes: "n" },
  finishRun: { status: "done" },
  postTrain: [{ step: 1, loss: 1 }],
  postLog: { points: [{ step: 1, loss: 1 }] },
  postEvals: [{ behavior: "refunds", score: 50 }],
  postRows: { rows: [{ ok: true }], offset: 0 },
};

/** Signed links and event streams are tested on their own. */
const APART = new Set(["uploadDataset", "downloadBlob", "runEvents"]);
const KEYED = ROUTES.filter(({ auth, id }) => auth !== "none" && auth !== "signed" && !APART.has(id));

/** Another scope than any that would let a key in; null where every good key is let in. */
const wrongScope = ({ scopes }: Pick<Route, "scopes">): Scope | null =>
  scopes.length === 0 ? null : (SCOPES.find((scope) => scope !== "admin" && !scopes.includes(scope)) as Scope);

describe.each(databases)("every call on $kind", ({ open }) => {
  let app: TestApp;
  const ids: Record<string, string> = {};
  const keys: Record<string, string> = {};
  let owner: { accountId: string; key: string };

  const paramsOf = (route: Pick<Route, "path">) => {
    const values: Record<string, string> = { name: "refunds", behavior: "refunds", token: "no.token" };
    values.id =
      route.path.startsWith("/datasets") || route.path.startsWith("/catalog") ? (ids.dataset as string) : "bot";
    if (route.path.startsWith("/runs")) values.id = ids.run as string;
    if (route.path.startsWith("/keys") || route.path.startsWith("/sessions")) values.id = ids.key as string;
    if (route.path.startsWith("/traces")) values.id = ids.trace as string;
    return Object.fromEntries(pathParams(route.path).map((name) => [name, values[name] as string]));
  };
  const QUERIES: Readonly<Record<string, () => string>> = {
    showDevice: () => "?code=BCDF-GHJK",
    getFlips: () => `?against=${ids.run}`,
  };
  const path = (route: Route) => fillPath(route.path, paramsOf(route)) + (QUERIES[route.id]?.() ?? "");
  const ask = (route: Route, key: string | undefined, body = BODIES[route.id]) =>
    app.call(route.method, path(route), body, { key });

  beforeAll(async () => {
    app = await withApp(await open());
    const { services } = app;
    owner = await app.account();
    const { key } = owner;
    await app.call("POST", "/agents", { id: "bot", name: "bot" }, { key });
    await app.call("PUT", "/agents/bot/experiment", { question: "q" }, { key });
    await app.call("PUT", "/agents/bot/figures/refunds", BODIES.putFigure, { key });
    ids.run = (await app.call("POST", "/runs", { agent: "bot", version: "v1" }, { key })).body.id;
    await app.call("POST", `/runs/${ids.run}/evals`, BODIES.postEvals, { key });
    await app.call("POST", "/v1/traces", BODIES.postTraces, { key });
    ids.trace = (await app.call("GET", "/traces?agent=bot", undefined, { key })).body.traces[0].traceId;
    const made = await app.call("POST", "/datasets", { name: "set", agent: "bot" }, { key });
    ids.dataset = made.body.datasetId;
    await app.call("PUT", made.body.uploadUrl, '{"a":1}\n');
    await app.call("POST", `/datasets/${ids.dataset}/finalize`, undefined, { key });
    ids.key = (await app.call("POST", "/keys", { name: "k" }, { key })).body.id;
    const make = (more: object) =>
      makeKey(services, services.db, { accountId: owner.accountId, kind: "key", name: "x", scopes: SCOPES, ...more });
    keys.unknown = `zp_${"0".repeat(48)}`;
    keys.expired = (await make({ expiresAt: "2020-01-01T00:00:00.000Z" })).key;
    const revoked = await make({});
    await services.db
      .updateTable("keys")
      .set({ revoked_at: "2020-01-01T00:00:00.000Z" })
      .where("id", "=", revoked.row.id)
      .execute();
    keys.revoked = revoked.key;
    keys.narrow = (await make({ agents: ["elsewhere"] })).key;
    keys.stranger = (await app.account()).key;
  });
  afterAll(() => app.close());

  test("each call of the contract is answered, and no other", () => {
    expect([...app.app.mounted].sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  });

  test.each(KEYED.map((route) => [route.id, route] as const))(
    "%s lets nobody in who has no good key",
    async (_, route) => {
      expect((await ask(route, undefined)).status).toBe(401);
      for (const bad of ["unknown", "expired", "revoked"])
        expect([bad, (await ask(route, keys[bad])).status]).toEqual([bad, 401]);
    },
  );

  test.each(KEYED.flatMap((route) => (wrongScope(route) === null ? [] : [[route.id, route] as const])))(
    "%s refuses a key of another scope",
    async (_, route) => {
      const { services } = app;
      const { key } = await makeKey(services, services.db, {
        accountId: owner.accountId,
        kind: "key",
        name: "s",
        scopes: [wrongScope(route) as Scope],
      });
      expect(await ask(route, key)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
    },
  );

  const owned = KEYED.filter(
    ({ path: at, auth, id }) => at.includes("{") && auth === "key" && id !== "deleteKey" && id !== "deleteSession",
  );
  test.each(owned.map((route) => [route.id, route] as const))(
    "%s answers a stranger as if there were nothing",
    async (_, route) => {
      const theirs = await ask(route, keys.stranger);
      expect(theirs).toMatchObject({ status: 404, body: { code: "not_found" } });
      const nothing = await app.call(
        route.method,
        path(route)
          .replace(ids.run as string, "run_none")
          .replace(ids.dataset as string, "ds_none")
          .replace(ids.trace as string, "none")
          .replace("/bot", "/nobody"),
        route.id === "purgeAgent" ? { confirm: "nobody" } : BODIES[route.id],
        { key: keys.stranger },
      );
      expect(nothing.status).toBe(404);
      const plain = (text: string) => text.replaceAll(/run_\w+|ds_\w+|bot|nobody|none|[0-9a-f]{32}/g, "X");
      expect(plain(theirs.body.error)).toBe(plain(nothing.body.error));
    },
  );

  test.each(KEYED.filter(({ method }) => method !== "GET").map((route) => [route.id, route] as const))(
    "%s does nothing for a browser whose page does not show its token",
    async (_, route) => {
      const { services } = app;
      const session = await makeKey(services, services.db, {
        accountId: owner.accountId,
        kind: "session",
        name: "browser",
        scopes: SCOPES,
      });
      for (const token of ["", "0".repeat(64)]) {
        const headers = { cookie: `while_session=${session.key}`, "x-csrf-token": token };
        const answer = await app.call(route.method, path(route), BODIES[route.id], { headers });
        expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining("x-csrf-token") } });
      }
    },
  );

  const ofAgent = owned.filter(({ path: at }) => /^\/(agents|runs|datasets|traces)\//.test(at));
  test.each(ofAgent.map((route) => [route.id, route] as const))(
    "%s is closed to a key of another agent",
    async (_, route) => {
      expect((await ask(route, keys.narrow)).status).toBe(404);
    },
  );

  test.each([
    ["a path that climbs", "GET", "/datasets/..%2f..%2fpepper", 404],
    ["an encoded slash", "GET", "/runs/..%2F..%2Fetc%2Fpasswd", 404],
    ["a null byte", "GET", "/runs/a%00b", 400],
    ["a bad escape", "GET", "/runs/%ff", 404],
    ["another method", "PATCH", "/datasets", 404],
    ["a blob by its name", "GET", "/blobs/datasets%2Fx", 403],
  ])("%s is refused", async (_, method, at, status) => {
    expect((await app.call(method, at, undefined, { key: owner.key })).status).toBe(status);
  });

  test("a header cannot be split, and a request id that is none is replaced", async () => {
    const { headers } = await app.call("GET", "/version", undefined, { headers: { "x-request-id": "a b<script>" } });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("an address in a body, wherever it stands, is kept as text and never asked", async () => {
    let asked = 0;
    const canary = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    const { port } = canary.address() as { port: number };
    const url = `http://127.0.0.1:${port}/latest/meta-data`;
    /** The same body with the address in place of each text. */
    const poisoned = (value: unknown): unknown => {
      if (typeof value === "string") return url;
      if (Array.isArray(value)) return value.map(poisoned);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner)]));
    };
    const figure = {
      data: [{ type: "scatter", y: [1], customdata: [url], hovertemplate: `<a href="${url}">x</a>`, src: url }],
      layout: {
        images: [{ source: url }],
        title: { text: `<img src=${url}>` },
        template: url,
        shapes: [{ path: url }],
      },
    };
    const bodies: [string, string, unknown][] = [
      ["PUT", "/agents/bot/figures/canary", { figure, caption: `![x](${url})` }],
      ["POST", "/agents", { id: "bot", name: "bot", model: url, frontier: { name: url } }],
      [
        "PATCH",
        `/runs/${ids.run}`,
        { notes: `![x](${url})`, gpu: url, record: { provenance: { adapter: url, paper: url } } },
      ],
      ...KEYED.filter(({ body }) => body !== null).map((route): [string, string, unknown] => [
        route.method,
        path(route),
        poisoned(BODIES[route.id]),
      ]),
    ];
    for (const [method, at, body] of bodies) await app.call(method, at, body, { key: owner.key });
    for (const [name, value] of [
      ["referer", url],
      ["x-forwarded-host", `127.0.0.1:${port}`],
      ["origin", url],
    ])
      await app.call("POST", "/device/code", {}, { headers: { [name as string]: value as string } });
    const kept = (await app.call("GET", "/agents/bot/figures", undefined, { key: owner.key })).body.figures;
    expect(JSON.stringify(kept)).toContain(url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toBe(0);
    canary.close();
  });

  test("no body, whatever it holds, makes the server fail", { timeout: 300_000 }, async () => {
    const value = fc.oneof(
      { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(-1, 1e308, 2 ** 60, "\0", "x".repeat(5000), "\ud800", [], {}, null, {
          __proto__: null,
        }),
      },
    );
    const routes = ROUTES.filter(
      (route) => !APART.has(route.id) && !["signOut", "deleteKey", "deleteSession"].includes(route.id),
    );
    const mutated = fc.record({
      route: fc.constantFrom(...routes.map(({ id }) => id)),
      place: fc.nat(),
      value,
      whole: fc.boolean(),
      id: fc.constantFrom(null, "", "%", "a b", "é", "__proto__", "x".repeat(300)),
    });
    await fc.assert(
      fc.asyncProperty(mutated, async ({ route: routeId, place, value: odd, whole, id }) => {
        const route = routes.find(({ id: name }) => name === routeId) as Route;
        const good = structuredClone(BODIES[route.id]);
        let body: unknown = whole ? odd : good;
        if (!whole && typeof good === "object" && good !== null) {
          const target = (Array.isArray(good) ? good[0] : good) as Record<string, unknown>;
          const names = Object.keys(target);
          target[names[place % names.length] as string] = odd;
          body = good;
        }
        const params = paramsOf(route as Route);
        if (id !== null) for (const name of Object.keys(params)) if (place % 2 === 0) params[name] = id;
        const at = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] as string));
        const answer = await app.call(route.method, at, route.body === null ? undefined : JSON.stringify(body), {
          key: owner.key,
        });
        expect([route.id, at, answer.status < 500, answer.body]).toEqual([route.id, at, true, answer.body]);
        if (answer.status >= 400) expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThanOrEqual(400);
      }),
      { numRuns: 1500, seed: 7 },
    );
  });
});
