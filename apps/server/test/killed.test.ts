import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { databases } from "./databases.ts";

/** How often the server dies: a few times here, 100 by `WHILE_KILLS=100 npm test -- apps/server/test/killed.test.ts`. */
const KILLS = Number(process.env.WHILE_KILLS ?? 8);
/** What a person installs and starts, so the built one. */
const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

interface Running {
  child: ChildProcess;
  url: string;
  firstKey: string | null;
  died: Promise<void>;
}

async function start(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [out, log] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    log += chunk;
  });
  const died = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  for (;;) {
    const url = /^(http:\S+)$/m.exec(out)?.[1];
    if (url !== undefined) return { child, url, firstKey: /zp_[0-9a-f]+/.exec(out)?.[0] ?? null, died };
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe.each(databases)("killed again and again on $kind", ({ kind, open }) => {
  test(`${KILLS} times, nothing acknowledged is lost and no set is half there`, {
    timeout: 300_000 + KILLS * 30_000,
  }, async () => {
    const data = mkdtempSync(join(tmpdir(), "while-killed-"));
    const env: Record<string, string> = { WHILE_DATA: data, WHILE_PORT: "0" };
    if (kind === "postgres") {
      const database = await open();
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
      await database.close();
      const url = new URL(process.env.TEST_POSTGRES_URL as string);
      url.pathname = `/${(rows[0] as { name: string }).name}`;
      env.DATABASE_URL = url.href;
    }
    let key = "";
    const points = new Set<number>();
    const scores = new Set<string>();
    const sets = new Map<string, string>();
    let next = 0;

    /** One writer: it goes on until the server is gone, and remembers what was acknowledged. */
    async function write(
      url: string,
      once: (call: (method: string, path: string, body?: unknown) => Promise<Response>) => Promise<void>,
    ) {
      const call = async (method: string, path: string, body?: unknown) => {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const target = path.startsWith("http") ? path : url + path;
        const response = await fetch(target, {
          method,
          headers: { "x-api-key": key },
          ...(body === undefined ? {} : { body: text }),
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        return response;
      };
      for (;;) {
        try {
          await once(call);
        } catch (error) {
          if (error instanceof TypeError) return; // The connection broke: the server is dead.
          throw error;
        }
      }
    }

    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await start(env);
      if (server.firstKey !== null) {
        key = server.firstKey;
        const json = { "x-api-key": key };
        await fetch(`${server.url}/agents`, {
          method: "POST",
          headers: json,
          body: JSON.stringify({ id: "bot", name: "bot" }),
        });
        await fetch(`${server.url}/runs`, {
          method: "POST",
          headers: json,
          body: JSON.stringify({ agent: "bot", version: "v1", id: "run" }),
        });
      }
      const writers = [
        write(server.url, async (call) => {
          const steps = [next++, next++, next++];
          await call(
            "POST",
            "/runs/run/train",
            steps.map((step) => ({ step, loss: step })),
          );
          for (const step of steps) points.add(step);
        }),
        write(server.url, async (call) => {
          const behavior = `b${next++}`;
          await (await call("POST", "/runs/run/evals", [{ behavior, score: 50 }])).json();
          scores.add(behavior);
        }),
        write(server.url, async (call) => {
          const text = Array.from({ length: 200 }, (_, i) => `{"task_id":"${next++}","n":${i}}\n`).join("");
          const { datasetId, uploadUrl } = (await (await call("POST", "/datasets", { name: "s" })).json()) as Record<
            string,
            string
          >;
          await call("PUT", uploadUrl as string, text);
          await (await call("POST", `/datasets/${datasetId}/finalize`)).json();
          sets.set(datasetId as string, text);
        }),
      ];
      // The moment of death is counted in what was acknowledged, so that a slow machine is killed amid work too.
      const done = () => points.size + scores.size + sets.size;
      const [before, setsBefore] = [done(), sets.size];
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      while (done() - before < 1 + ((kill * 5) % 23) || (kill % 4 === 0 && sets.size === setsBefore)) await pause(1);
      await pause((kill * 7) % 31);
      server.child.kill("SIGKILL");
      await Promise.all([server.died, ...writers]);
    }

    const server = await start(env);
    const get = async (path: string) =>
      (await fetch(path.startsWith("http") ? path : server.url + path, { headers: { "x-api-key": key } })).text();
    const run = JSON.parse(await get("/runs/run"));
    const found = new Map((run.train as { step: number; loss: number }[]).map(({ step, loss }) => [step, loss]));
    expect([...points].filter((step) => found.get(step) !== step)).toEqual([]);
    const posted = new Set((run.evals as { behavior: string }[]).map(({ behavior }) => behavior));
    expect([...scores].filter((behavior) => !posted.has(behavior))).toEqual([]);
    const { datasets } = JSON.parse(await get("/datasets")) as {
      datasets: { datasetId: string; status: string; rows: number; sizeBytes: number }[];
    };
    for (const [id] of sets)
      expect(datasets.find(({ datasetId }) => datasetId === id)).toMatchObject({ status: "ready", rows: 200 });
    for (const { datasetId, status, rows, sizeBytes } of datasets.filter(({ status: of }) => of === "ready")) {
      const text = await get(
        (JSON.parse(await get(`/datasets/${datasetId}/download`)) as { downloadUrl: string }).downloadUrl,
      );
      expect([status, rows, text.length]).toEqual(["ready", 200, sizeBytes]);
      if (sets.has(datasetId)) expect(text).toBe(sets.get(datasetId));
    }
    // What the gate had not read when its server died is read by the one after.
    for (let waiting = true; waiting; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const now = JSON.parse(await get("/datasets")).datasets as {
        status: string;
        gateState: string;
        warnings: number | null;
      }[];
      const read = now.filter(({ status }) => status === "ready");
      waiting = read.some(({ gateState }) => gateState === "pending");
      if (!waiting) expect(read.filter(({ warnings }) => typeof warnings !== "number")).toEqual([]);
    }
    // The test did something: without writes that were acknowledged it would prove nothing.
    expect(Math.min(points.size, scores.size, sets.size)).toBeGreaterThan(0);
    server.child.kill("SIGTERM");
    await server.died;
    rmSync(data, { recursive: true, force: true });
  });
});
