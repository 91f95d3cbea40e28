import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, expect, test } from "vitest";
import { PlatformClient } from "../src/index.ts";
import { type FakePlatform, fakePlatform, type Reply } from "./fake-platform.ts";

const KEY = "zp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const open: FakePlatform[] = [];
afterEach(async () => {
  for (const platform of open.splice(0)) await platform.stop();
});

async function platformOf(...replies: Reply[]): Promise<FakePlatform> {
  let next = 0;
  const platform = await fakePlatform(() => replies[Math.min(next++, replies.length - 1)]!);
  open.push(platform);
  return platform;
}

const clientOf = (apiUrl: string, options = {}) =>
  new PlatformClient({ apiUrl, apiKey: KEY, env: {}, warn: () => {}, ...options });

test("a call carries the key, who sends it, and JSON only where there is a body", async () => {
  const platform = await platformOf({ body: { agents: [] } });
  const client = clientOf(`${platform.url}/`);
  await client.agents();
  await client.registerAgent("Refund bot", { systemPrompt: "Be brief." });
  const [get, post] = platform.arrived;
  expect([get!.method, get!.path, get!.headers["x-api-key"]]).toEqual(["GET", "/agents", KEY]);
  expect([get!.headers["user-agent"], get!.headers["content-type"]]).toEqual(["while-ts/0.1", undefined]);
  expect(post!.body).toEqual({ name: "Refund bot", system_prompt: "Be brief." });
  expect(post!.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a call that may pass is repeated under the same idempotency key", async () => {
  const away = { status: 503, body: { error: "Starting.", code: "unavailable" }, headers: { "retry-after": "0" } };
  const platform = await platformOf(away, away, { body: { id: "a" } });
  expect(await clientOf(platform.url).registerAgent("a")).toEqual({ id: "a" });
  const keys = platform.arrived.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("an answer that is lost on the way is asked for again", async () => {
  const platform = await platformOf({ lost: true }, { body: { agents: [{ id: "a" }] } });
  expect(await clientOf(platform.url).agents()).toEqual([{ id: "a" }]);
});

test.each([
  [
    400,
    { error: 'name must have at least 1 characters, not "".', code: "invalid_request", field: "name" },
    "invalid_request",
  ],
  [401, { error: "The key is not known.", code: "invalid_key" }, "invalid_key"],
  [404, { error: "No set ds_1.", code: "not_found" }, "not_found"],
  [418, { error: "Short and stout.", code: "teapot" }, "refused"],
  [429, { error: { message: "daily account quota exceeded", code: "quota_exceeded" } }, "quota_exceeded"],
])("a %i says what the platform said", async (status, body, code) => {
  const platform = await platformOf({ status, body, headers: { "x-request-id": "req_1" } });
  const sentence = typeof body.error === "string" ? body.error : body.error.message;
  const error = await clientOf(platform.url, { retry: false })
    .dataset("ds_1")
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: "PlatformError",
    status,
    code,
    method: "GET",
    path: "/datasets/ds_1",
    requestId: "req_1",
  });
  expect((error as Error).message).toContain(sentence);
  expect((error as Error).message).toContain(`GET /datasets/ds_1 answered ${status}`);
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(KEY);
});

test("a page of a proxy is shown by its beginning, and one with status 200 is no answer", async () => {
  const proxy = await platformOf({ status: 502, text: "<html>Bad gateway</html>" });
  await expect(clientOf(proxy.url, { retry: false }).agents()).rejects.toThrow(
    "answered 502: <html>Bad gateway</html>",
  );
  const page = await platformOf({ text: "<html>" });
  await expect(clientOf(page.url).agents()).rejects.toMatchObject({ code: "bad_answer", status: 200 });
});

test("an empty answer is an empty object", async () => {
  const platform = await platformOf({ text: "" });
  expect(await clientOf(platform.url).deleteDataset("ds_1")).toEqual({});
});

test("no call follows a redirect, which could carry the key to another host", async () => {
  const other = await platformOf({ body: { agents: [] } });
  const platform = await platformOf({ status: 307, headers: { location: `${other.url}/agents` } });
  await expect(clientOf(platform.url, { retry: false }).agents()).rejects.toMatchObject({ status: 307 });
  expect(other.arrived).toEqual([]);
});

test("a platform that is away is named by its origin, with status 0", async () => {
  const platform = await platformOf({});
  await platform.stop();
  const error = await clientOf(platform.url, { retry: false })
    .agents()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unreachable", status: 0 });
  expect((error as Error).message).toContain(`${platform.url} cannot be reached, ECONNREFUSED.`);
});

test("a call that takes too long names its time, and no error holds the key however deep it is printed", async () => {
  const late = createServer(() => {});
  await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
  const slow = `http://127.0.0.1:${(late.address() as AddressInfo).port}`;
  const refusing = await platformOf({ status: 400, body: { error: "No.", code: "invalid_request" } });
  const away = await platformOf({});
  await away.stop();
  const errors = [];
  for (const url of [slow, refusing.url, away.url]) {
    const client = clientOf(url, { retry: false, timeoutS: 0.2 });
    errors.push(await client.registerAgent("a").catch((reason: unknown) => reason));
  }
  late.closeAllConnections();
  late.close();
  expect((errors[0] as Error).message).toContain("cannot be reached, no answer within 0.2 s.");
  for (const error of errors) expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(KEY);
});

test("without a key nothing is sent, and the three ways to give one are named", async () => {
  const platform = await platformOf({});
  const client = new PlatformClient({ apiUrl: platform.url, env: {} });
  await expect(client.agents()).rejects.toMatchObject({ code: "no_key", status: 401 });
  await expect(client.agents()).rejects.toThrow("Sign in with wai login, set WHILEAI_API_KEY, or pass apiKey.");
  expect(platform.arrived).toEqual([]);
});

test.each([
  [{ apiKey: "option" }, "option"],
  [{}, "delegated"],
  [{ env: { WHILEAI_API_KEY: "variable", WHILEAI_DELEGATED_CREDENTIAL: "" } }, "variable"],
  [{ env: {} }, "saved"],
])("the first key of option, delegated credential, variable and saved login counts: %j", async (options, key) => {
  const platform = await platformOf({ body: { agents: [] } });
  const saved = { api_key: "saved", api_url: platform.url, name: null, user_id: null, created_at: "" };
  const credentials = { read: async () => saved } as never;
  const env = { WHILEAI_API_KEY: "variable", WHILEAI_DELEGATED_CREDENTIAL: "delegated" };
  await new PlatformClient({ apiUrl: platform.url, credentials, env, ...options }).agents();
  expect(platform.arrived[0]!.headers["x-api-key"]).toBe(key);
});

test("a saved key goes to the platform that issued it and to no other", async () => {
  const platform = await platformOf({ body: { agents: [] } });
  const saved = { api_key: KEY, api_url: "https://elsewhere.example", name: null, user_id: null, created_at: "" };
  const client = new PlatformClient({
    apiUrl: platform.url,
    credentials: { read: async () => saved } as never,
    env: {},
  });
  const error = await client.agents().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "foreign_origin" });
  expect(String(error)).not.toContain(KEY);
  expect(platform.arrived).toEqual([]);
});

test("the saved login says which platform it is, where no variable does", async () => {
  const platform = await platformOf({ body: { agents: [] } });
  const saved = { api_key: KEY, api_url: platform.url, name: null, user_id: null, created_at: "" };
  await new PlatformClient({ credentials: { read: async () => saved } as never, env: {} }).agents();
  expect(platform.arrived).toHaveLength(1);
});

test("`transport` takes the place of the network", async () => {
  const calls: unknown[] = [];
  const transport = async (...call: unknown[]) => {
    calls.push(call);
    return { agents: [] };
  };
  await new PlatformClient({ transport, env: {} }).agents();
  expect(calls).toEqual([["GET", "/agents", undefined]]);
});
