import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { storeLines } from "../src/datasets/store-lines.ts";
import { uploadInParts } from "../src/datasets/upload-parts.ts";
import { pushFile } from "../src/files.ts";
import { PlatformClient } from "../src/index.ts";
import { type Arrived, type FakePlatform, fakePlatform } from "./fake-platform.ts";

const folder = mkdtempSync(join(tmpdir(), "while-parts-"));
const stored = new Map<number, { text: string; sha256: string }>();
const puts: number[] = [];
let created = 0;
let finalized: unknown = null;
/** Answers of a PUT by the part's number, in turn; 200 when there are none. */
let faults = new Map<number, number[]>();
let features = ["multipart"];

const platform: FakePlatform = await fakePlatform(({ method, path, text, body }: Arrived) => {
  const [, first, second, third] = path.split("/");
  if (path === "/version") return { body: { server: "x", api: 1, features, served_bases: [] } };
  if (method === "PUT" && first === "blobs") {
    const n = Number(second);
    puts.push(n);
    const fault = faults.get(n)?.shift();
    if (fault !== undefined) return { status: fault, body: { error: "Not now." } };
    stored.set(n, { text, sha256: createHash("sha256").update(text).digest("hex") });
    return { body: { ok: true } };
  }
  if (method === "POST" && path === "/datasets") {
    created += 1;
    return { status: 201, body: { datasetId: `ds_${created}`, uploadUrl: `${platform.url}/blobs/0` } };
  }
  if (third === "parts" && method === "GET") {
    return { body: { parts: [...stored].map(([n, { text, sha256 }]) => ({ n, sizeBytes: text.length, sha256 })) } };
  }
  if (third === "parts") {
    const { from, count } = body as { from: number; count: number };
    const parts = Array.from({ length: count }, (_, i) => ({
      n: from + i,
      uploadUrl: `${platform.url}/blobs/${from + i}`,
    }));
    return { body: { partSize: 1, parts } };
  }
  if (third === "finalize") finalized = body;
  return { body: { datasetId: second, status: third === "finalize" ? "ready" : "uploading" } };
});
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  stored.clear();
  puts.length = 0;
  created = 0;
  finalized = null;
  faults = new Map();
  features = ["multipart"];
});

const client = new PlatformClient({ apiUrl: platform.url, apiKey: "k", env: {}, retry: false });
const LINES = Array.from({ length: 40 }, (_, i) => `{"scenario_id":"s${i}","reward":1}\n`).join("");
const lines = new Blob([LINES]);
const all = () =>
  [...stored]
    .sort(([a], [b]) => a - b)
    .map(([, { text }]) => text)
    .join("");

test("a part that the platform has not the time for is sent again, and all of them arrive in order", async () => {
  faults = new Map([
    [1, [503]],
    [3, [429, 500]],
  ]);
  const said = await uploadInParts(await client.transport(), { datasetId: "ds_1", lines, partSize: 300 });
  expect(all()).toBe(LINES);
  expect(puts.filter((n) => n === 3)).toHaveLength(3);
  expect(said.parts).toEqual([...stored].sort(([a], [b]) => a - b).map(([n, { sha256 }]) => ({ n, sha256 })));
});

test("a refusal that no repetition mends ends the upload at once, with the platform's words", async () => {
  faults = new Map([[2, [413]]]);
  const upload = uploadInParts(await client.transport(), { datasetId: "ds_1", lines, partSize: 300 });
  await expect(upload).rejects.toMatchObject({ code: "upload_failed", status: 413 });
  expect(puts.filter((n) => n === 2)).toHaveLength(1);
});

test("what has arrived is not sent again, but for a part that is other bytes", async () => {
  const transport = await client.transport();
  await uploadInParts(transport, { datasetId: "ds_1", lines, partSize: 300 });
  const before = puts.length;
  stored.set(2, { text: "damaged", sha256: "0".repeat(64) });
  await uploadInParts(transport, { datasetId: "ds_1", lines, partSize: 300 });
  expect(puts.slice(before)).toEqual([2]);
  expect(all()).toBe(LINES);
});

test("a small set is one body, and so is a large one where the platform knows no parts", async () => {
  await storeLines(await client.transport(), { meta: { name: "small" }, lines });
  expect([puts, finalized]).toEqual([[0], null]);
  features = [];
  await storeLines(await client.transport(), { meta: { name: "large" }, lines: new Blob([LINES.repeat(20_000)]) });
  expect(puts).toEqual([0, 0]);
});

test("a file whose push broke off goes on with the same set; one that changed begins anew", async () => {
  const path = join(folder, "large.jsonl");
  writeFileSync(path, LINES.repeat(40_000));
  const push = () => pushFile(client, path, { gate: false, home: folder });
  faults = new Map([[3, [403]]]);
  await expect(push()).rejects.toMatchObject({ code: "upload_failed", status: 403 });
  expect(stored.size).toBeGreaterThan(0);
  puts.length = 0;
  const had = new Set(stored.keys());
  expect(await push()).toMatchObject({ datasetId: "ds_1", status: "ready" });
  expect(created).toBe(1);
  expect(puts.filter((n) => had.has(n))).toEqual([]);
  expect(all()).toBe(LINES.repeat(40_000));
  // It came to its end: the next push is another set.
  await push();
  expect(created).toBe(2);
}, 240_000);
