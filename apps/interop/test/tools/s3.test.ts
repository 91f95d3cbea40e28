import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Platform, startPlatform } from "@while/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonTool, TIMEOUT_MS } from "./tool.ts";

const moto = pythonTool("s3", "moto");
const SERVER = fileURLToPath(new URL("../../.python/s3/bin/moto_server", import.meta.url));
const BUCKET = "while-test";
const QUIET = { info: () => {}, error: () => {} };

/** Blobs in a bucket, of a store that speaks S3 and was not written by us. */
describe.skipIf(moto.isMissing)(`blobs in an S3-compatible store: ${moto.title}`, () => {
  const data = mkdtempSync(join(tmpdir(), "while-s3-"));
  let store: ChildProcess;
  let endpoint: string;
  let platform: Platform;

  beforeAll(async () => {
    // A port that a system gives to nobody who asks for any.
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    endpoint = `http://127.0.0.1:${port}`;
    store = spawn(SERVER, ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    for (let tries = 0; ; tries += 1) {
      if (store.exitCode !== null) throw new Error("the store ended");
      try {
        if ((await fetch(`${endpoint}/${BUCKET}`, { method: "PUT" })).ok) break;
      } catch (error) {
        if (tries > 3000) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const s3 = { endpoint, bucket: BUCKET, region: "us-east-1", accessKeyId: "key", secretAccessKey: "secret" };
    platform = await startPlatform({ settings: { data, port: 0, s3 }, log: QUIET });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform?.stop();
    store?.kill();
    rmSync(data, { recursive: true, force: true });
  });

  const call = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) =>
    fetch(path.startsWith("http") ? path : platform.url + path, {
      method,
      headers: { "x-api-key": platform.firstKey as string },
      ...(body === undefined ? {} : { body }),
    });
  const objects = async () =>
    [...(await (await fetch(`${endpoint}/${BUCKET}?list-type=2`)).text()).matchAll(/<Key>([^<]+)/g)].map(
      ([, name]) => name,
    );

  test.each([
    ["a set", '{"task_id":"café","reward":1}\n'],
    ["no rows at all", ""],
    ["5 MB", Array.from({ length: 50_000 }, (_, i) => `{"task_id":"${i}","text":"${"x".repeat(80)}"}\n`).join("")],
  ])("%s goes to the bucket, comes back as it was, and is gone when it is deleted", async (_, text) => {
    const made = (await (await call("POST", "/datasets", JSON.stringify({ name: "s" }))).json()) as Record<
      string,
      string
    >;
    expect((await call("PUT", made.uploadUrl as string, text)).status).toBe(200);
    const finalized = await (await call("POST", `/datasets/${made.datasetId}/finalize`)).json();
    expect(finalized).toMatchObject({ status: "ready", sizeBytes: Buffer.byteLength(text) });
    expect(await objects()).toHaveLength(1);
    const grant = (await (await call("GET", `/datasets/${made.datasetId}/download`)).json()) as { downloadUrl: string };
    expect(await (await call("GET", grant.downloadUrl)).text()).toBe(text);
    await call("DELETE", `/datasets/${made.datasetId}`);
    expect(await objects()).toEqual([]);
    expect((await call("GET", grant.downloadUrl)).status).toBe(410);
  });

  test("a store that does not answer is an error of ours, and the set stays open for another try", async () => {
    const made = (await (await call("POST", "/datasets", JSON.stringify({ name: "s" }))).json()) as Record<
      string,
      string
    >;
    store.kill("SIGSTOP");
    store.kill("SIGKILL");
    expect((await call("PUT", made.uploadUrl as string, "{}\n")).status).toBe(500);
    expect(await (await call("GET", `/datasets/${made.datasetId}`)).json()).toMatchObject({
      status: "uploading",
      sizeBytes: 0,
    });
  });
});
