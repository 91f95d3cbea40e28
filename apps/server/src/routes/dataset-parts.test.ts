import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../../test/databases.ts";
import { type TestApp, withApp } from "../../test/with-app.ts";

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const line = (task: string, reward: number): string => `${JSON.stringify({ scenario_id: task, reward })}\n`;
const PARTS = [line("s1", 1) + line("s1", 0), line("s2", 1), line("s3", 0)];

describe.each(databases)("a set in parts on $kind", ({ open }) => {
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await withApp(await open());
    ({ key } = await app.account());
  });
  afterAll(() => app.close());

  const created = async (): Promise<string> =>
    (await app.call("POST", "/datasets", { name: "parts" }, { key })).body.datasetId;
  const urls = async (id: string, from = 1, count = 3) =>
    (await app.call("POST", `/datasets/${id}/parts`, { from, count }, { key })).body.parts as {
      n: number;
      uploadUrl: string;
    }[];
  const put = (url: string, text: string) =>
    app.call("PUT", url, text, { headers: { "content-type": "application/jsonl" } });
  const finalize = (id: string, parts: { n: number; sha256: string }[]) =>
    app.call("POST", `/datasets/${id}/finalize`, { parts }, { key });
  const named = PARTS.map((text, index) => ({ n: index + 1, sha256: sha(text) }));

  test("comes back as it was cut, in order, whatever order it came in", async () => {
    const id = await created();
    const places = await urls(id);
    for (const at of [2, 0, 1]) await put(places[at]!.uploadUrl, PARTS[at]!);
    const stored = (await app.call("GET", `/datasets/${id}/parts`, undefined, { key })).body.parts;
    expect(stored).toEqual(named.map((part, index) => ({ ...part, sizeBytes: PARTS[index]!.length })));
    const whole = PARTS.join("");
    expect((await finalize(id, named)).body).toMatchObject({
      ...{ status: "ready", rows: 4, tasks: 3 },
      ...{ sha256: sha(whole), sizeBytes: whole.length },
    });
    const grant = (await app.call("GET", `/datasets/${id}/download`, undefined, { key })).body;
    const texts = await Promise.all(grant.parts.map(async (part: string) => (await app.call("GET", part)).body));
    expect(texts).toEqual(PARTS);
  });

  test("the same bytes as one body and in parts are the same set", async () => {
    const made = (await app.call("POST", "/datasets", { name: "one body" }, { key })).body;
    await put(made.uploadUrl, PARTS.join(""));
    const one = (await app.call("POST", `/datasets/${made.datasetId}/finalize`, undefined, { key })).body;
    expect(one.duplicateOf).toMatch(/^ds_/);
  });

  test.each([
    ["has not arrived", (all: typeof named) => all, [0, 1], "Part 3 has not arrived"],
    [
      "is damaged",
      (all: typeof named) => all.map((p) => (p.n === 2 ? { n: 2, sha256: sha("x") } : p)),
      [0, 1, 2],
      "Part 2 arrived with other bytes",
    ],
    ["was not named", (all: typeof named) => all.slice(0, 2), [0, 1, 2], "Part 3 is here and was not named"],
  ])("a part that %s keeps the set shut", async (_, say, sent, words) => {
    const id = await created();
    const places = await urls(id);
    for (const at of sent) await put(places[at]!.uploadUrl, PARTS[at]!);
    expect(await finalize(id, say(named))).toMatchObject({ status: 409, body: { code: "upload_missing" } });
    expect((await finalize(id, say(named))).body.error).toContain(words);
    expect((await app.call("GET", `/datasets/${id}`, undefined, { key })).body.status).toBe("uploading");
  });

  test("a part sent again replaces itself, and the size counts it once", async () => {
    const id = await created();
    const [first] = await urls(id, 1, 1);
    await put(first!.uploadUrl, PARTS[0]!);
    await put(first!.uploadUrl, PARTS[1]!);
    expect((await finalize(id, [{ n: 1, sha256: sha(PARTS[1]!) }])).body).toMatchObject({
      rows: 1,
      sizeBytes: PARTS[1]!.length,
    });
  });

  test("a finalized set takes no parts, and nobody else's set does", async () => {
    const id = await created();
    const [first] = await urls(id, 1, 1);
    await put(first!.uploadUrl, PARTS[0]!);
    await finalize(id, [named[0]!]);
    expect((await put(first!.uploadUrl, PARTS[1]!)).status).toBeGreaterThanOrEqual(400);
    const late = await app.call("POST", `/datasets/${id}/parts`, { from: 2, count: 1 }, { key });
    expect(late.body.code).toBe("upload_expired");
    const { key: other } = await app.account();
    for (const [method, body] of [
      ["POST", { from: 1, count: 1 }],
      ["GET", undefined],
    ] as const) {
      expect((await app.call(method, `/datasets/${id}/parts`, body, { key: other })).status).toBe(404);
    }
  });

  test("a trial's storage holds for all parts together", async () => {
    const { key: trial } = await app.account({ tier: "trial" });
    const limit = (await app.call("GET", "/me", undefined, { key: trial })).body.limits.storageBytes as number;
    const id = (await app.call("POST", "/datasets", { name: "big" }, { key: trial })).body.datasetId;
    const { parts } = (await app.call("POST", `/datasets/${id}/parts`, { from: 1, count: 2 }, { key: trial })).body;
    await put(parts[0].uploadUrl, PARTS[0]!);
    const over = await app.call("PUT", parts[1].uploadUrl, "x", { headers: { "content-length": String(limit) } });
    expect(over.body.code).toBe("storage_limit");
  });
});
