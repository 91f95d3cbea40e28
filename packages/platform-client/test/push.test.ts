import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "@while/schema";
import { afterEach, expect, test } from "vitest";
import { putTimeoutS } from "../src/datasets/upload.ts";
import { pullFile, pushFile } from "../src/files.ts";
import { PlatformClient, type PlatformWarning } from "../src/index.ts";
import { type Arrived, type FakePlatform, fakePlatform } from "./fake-platform.ts";

const open: FakePlatform[] = [];
afterEach(async () => {
  for (const platform of open.splice(0)) await platform.stop();
});

/** A platform that keeps what is PUT to it and gives it back in parts. */
async function storingPlatform(parts?: string[]) {
  const bodies = new Map<string, string>();
  let next = 0;
  const platform: FakePlatform = await fakePlatform(({ method, path, text, body }: Arrived) => {
    const [, first, id] = path.split("/");
    if (method === "PUT") bodies.set(id!, text);
    if (path.includes("/blobs/") && method === "GET") return { text: parts?.[Number(id)] ?? bodies.get(id!) ?? "" };
    if (path.endsWith("/download")) {
      if (id === "ds_public" && first === "datasets")
        return { status: 404, body: { error: "No set.", code: "not_found" } };
      const urls = (parts ?? [id!]).map((_, i) => `${platform.url}/blobs/${parts === undefined ? id : i}`);
      return { body: { downloadUrl: urls[0], parts: urls } };
    }
    if (method === "POST" && path === "/datasets") {
      const datasetId = `ds_${++next}`;
      return { status: 201, body: { datasetId, ...(body as object), uploadUrl: `${platform.url}/blobs/${datasetId}` } };
    }
    return { body: { datasetId: id, status: "ready" } };
  });
  open.push(platform);
  const warnings: PlatformWarning[] = [];
  const client = new PlatformClient({ apiUrl: platform.url, apiKey: "k", env: {}, warn: (one) => warnings.push(one) });
  return { platform, bodies, client, warnings };
}

const row = (task: string, reward = 1): Row => ({
  scenario_id: task,
  prompt: "p",
  final_text: "f",
  reward,
  markers: {},
});
const rows = [row("s1"), row("s2"), row("s7"), row("s8")];

test("a push is three calls, and the upload carries neither key nor name", async () => {
  const { platform, bodies, client } = await storingPlatform();
  const pushed = await client.push({ rows, mode: "rl" }, "refunds", { gate: false });
  expect(platform.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /datasets",
    "PUT /blobs/ds_1",
    "POST /datasets/ds_1/finalize",
  ]);
  expect(platform.arrived[0]!.body).toEqual({ name: "refunds", mode: "rl" });
  const { headers, text } = platform.arrived[1]!;
  expect([headers["x-api-key"], headers["content-type"]]).toEqual([undefined, "application/jsonl"]);
  expect(headers["content-length"]).toBe(String(text.length));
  expect(platform.arrived[2]!.headers["content-type"]).toBeUndefined();
  expect(
    bodies
      .get("ds_1")!
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(rows);
  expect(pushed).toMatchObject({ datasetId: "ds_1", gate: null, holdout: null, holdoutTasks: 0 });
});

test("a gate is named on purpose: left out, true or a text is refused before anything is created", async () => {
  const { platform, client } = await storingPlatform();
  for (const options of [undefined, {}, { gate: true }, { gate: "publishGate" }]) {
    await expect(client.push({ rows }, "x", options as never)).rejects.toMatchObject({ code: "gate_missing" });
  }
  await expect(client.pushRows(rows, "x", { gate: true as never })).rejects.toMatchObject({ code: "gate_missing" });
  expect(platform.arrived).toEqual([]);
});

test("the rows that a gate stamped are uploaded with its report, and what it refuses creates nothing", async () => {
  const { platform, bodies, client } = await storingPlatform();
  const seen: unknown[] = [];
  const gate = (given: readonly Row[], options: object) => {
    seen.push(options);
    return { rows: given.map((one) => ({ ...one, calibration: { task_pass_rate: 1 } })), report: { ok: true } };
  };
  const pushed = await client.push({ rows }, "x", { gate, mode: "sft", endorsed: ["length"], strictHacks: true });
  expect(seen).toEqual([{ mode: "sft", endorsed: ["length"], strictHacks: true }]);
  expect(pushed.gate).toEqual({ ok: true });
  expect(bodies.get("ds_1")).toContain("task_pass_rate");
  const refusal = new Error("no signal");
  const refuse = () => {
    throw refusal;
  };
  await expect(client.push({ rows }, "y", { gate: refuse })).rejects.toBe(refusal);
  expect(platform.arrived).toHaveLength(3);
});

test("held-out tasks go to a set of their own, the child of the train set", async () => {
  const { platform, bodies, client, warnings } = await storingPlatform();
  const pushed = await client.pushRows(rows, "refunds", { holdout: 0.2, agent: "bot" });
  expect(pushed.holdout).toMatchObject({ datasetId: "ds_2" });
  expect(pushed.holdoutTasks).toBe(2);
  const created = platform.arrived.filter(({ path }) => path === "/datasets").map(({ body }) => body);
  expect(created).toEqual([
    { name: "refunds", agent: "bot" },
    { name: "refunds-holdout", agent: "bot", purpose: "holdout", parentDatasetId: "ds_1" },
  ]);
  expect(bodies.get("ds_2")!.match(/"s\d"/g)).toEqual(['"s7"', '"s8"']);
  expect(warnings.map(({ code }) => code)).toEqual(["small_holdout"]);
  expect(warnings[0]!.message).toContain("the holdout has 2 tasks of 1 rollouts; to show a gain of 5% with 80% power");
});

test("with an agent the tools and the system prompt of the source are registered", async () => {
  const { platform, client } = await storingPlatform();
  const source = { rows, systemPrompt: "Be brief.", tools: [{ type: "function", function: { name: "refund" } }] };
  await client.push(source, "x", { gate: false, agent: "bot" });
  expect(platform.arrived.at(-1)).toMatchObject({
    path: "/agents",
    body: { name: "bot", system_prompt: "Be brief.", tools: source.tools },
  });
});

test.each([
  [{ purpose: "test" }, 'purpose is "test"; it may be train, holdout, eval.'],
  [{ mode: "dpo" }, 'mode is "dpo"; it may be explore, sft, rl, adaptive.'],
  [{ publish: true }, "publish needs agent."],
  [{ holdout: 2 }, "2"],
])("%j is refused before anything is created", async (options, message) => {
  const { platform, client } = await storingPlatform();
  await expect(client.pushRows(rows, "x", options as never)).rejects.toThrow(message);
  expect(platform.arrived).toEqual([]);
});

test("a row that is none is named, and nothing is created", async () => {
  const { platform, client } = await storingPlatform();
  await expect(client.pushRows([row("a"), "b" as never], "x")).rejects.toThrow("the rows of x");
  expect(platform.arrived).toEqual([]);
});

test("rows travel in ASCII: no reader can cut one at a line boundary of Unicode", async () => {
  const { bodies, client } = await storingPlatform();
  const text = "x\u2028y\u0085z\u2029 café 😀";
  await client.pushRows([{ ...row("a"), final_text: text }], "x");
  const body = bodies.get("ds_1")!;
  expect(body).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(body).final_text).toBe(text);
});

test("an upload that fails says how large it was, how long it had and what to do", async () => {
  const platform = await fakePlatform(({ method }) =>
    method === "PUT"
      ? { status: 403, text: "expired" }
      : { body: { datasetId: "ds_1", uploadUrl: `${platform.url}/blobs/1` } },
  );
  open.push(platform);
  const client = new PlatformClient({ apiUrl: platform.url, apiKey: "k", env: {} });
  await expect(client.pushRows(rows, "x", { timeoutS: 7 })).rejects.toMatchObject({
    code: "upload_failed",
    status: 403,
    message: expect.stringContaining(
      "0.0 MB failed within 7 s: it was answered 403 expired. Give it more time with timeoutS",
    ),
  });
});

test.each([
  [0, 120],
  [4096, 120.016384],
  [117_000_000, 588],
])("%i bytes may take %d s", (bytes, seconds) => {
  expect(putTimeoutS(bytes)).toBe(seconds);
});

test("a pull joins parts that end without a newline, and reads NaN as null", async () => {
  const { client } = await storingPlatform(['{"a":1}\n{"a":2}', '\n{"a":3}\n\n', "", "   ", '{"a":4}', '{"a":NaN}']);
  expect(await client.pull("ds_1")).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: null }]);
});

test("a set that is not one's own is looked for in the catalog", async () => {
  const { platform, client } = await storingPlatform(['{"a":1}']);
  expect(await client.pull("ds_public")).toEqual([{ a: 1 }]);
  expect(platform.arrived[1]!.path).toBe("/catalog/ds_public/download");
  expect(platform.arrived[1]!.headers["x-api-key"]).toBeUndefined();
});

test("rows larger than a slice come one at a time and whole", async () => {
  const big = Array.from({ length: 40 }, (_, i) => ({ i, text: "é".repeat(30_000) }));
  const { client } = await storingPlatform([big.map((one) => JSON.stringify(one)).join("\n")]);
  const read: unknown[] = [];
  for await (const one of client.pullRows("ds_1")) read.push(one);
  expect(read).toEqual(big);
});

test("a file goes up from the disk as it is, and comes down as it went", async () => {
  const { bodies, platform, client } = await storingPlatform();
  const dir = mkdtempSync(join(tmpdir(), "while-push-"));
  const file = join(dir, "refunds.jsonl");
  const text = '{"prompt": "caf\u00e9", "reward": NaN,  "id": 12345678901234567890}\n';
  writeFileSync(file, text);
  await pushFile(client, file, { gate: false, purpose: "eval" });
  expect(platform.arrived[0]!.body).toEqual({ name: "refunds", purpose: "eval" });
  expect(platform.arrived[1]!.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  expect(bodies.get("ds_1")).toBe(text);
  expect(await pullFile(client, "ds_1", join(dir, "back.jsonl"))).toBe(Buffer.byteLength(text));
  expect(readFileSync(join(dir, "back.jsonl"), "utf8")).toBe(text);
  await expect(pushFile(client, file, {} as never)).rejects.toMatchObject({ code: "gate_missing" });
});
