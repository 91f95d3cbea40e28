import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { PlatformClient } from "../client.ts";
import { sha256Of } from "../datasets/upload-parts.ts";
import { idempotencyKey } from "./idempotency-key.ts";

afterEach(() => vi.unstubAllGlobals());

/** What a browser has of `crypto` at an address that it does not trust. */
function plainHttp(): void {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
}

test("a key is a UUID of version 4, another one each time", () => {
  const keys = Array.from({ length: 200 }, idempotencyKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(200);
});

test("over plain http a browser's client posts under a key and hashes its parts", async () => {
  plainHttp();
  const keys: (string | null)[] = [];
  const client = new PlatformClient({
    apiKey: "zp_test",
    apiUrl: "http://platform.test",
    env: {},
    out: null,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.method !== "GET") keys.push(request.headers.get("idempotency-key"));
      const answer = request.url.endsWith("/evals") ? { evals: [] } : { id: "run_1", version: "v1" };
      return Response.json(answer);
    },
  });
  const run = await (await client.track("bot")).run("v1");
  run.log(1, { loss: 1 });
  await run.score("refunds", 80, { ci: 1, n: 100 });
  await client.close();
  expect(keys.length).toBeGreaterThanOrEqual(4);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  const bytes = new TextEncoder().encode("a part");
  expect(await sha256Of(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

test("where the browser hashes, it is the same", async () => {
  const bytes = new TextEncoder().encode("a part");
  expect(await sha256Of(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
});
