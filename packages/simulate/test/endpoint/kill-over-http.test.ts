import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "@while/schema";
import type { SimulationReport } from "@while/simulate";
import { expect, onTestFinished, test } from "vitest";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

const child = fileURLToPath(new URL("child.mjs", import.meta.url));
/** `WHILE_ROLLOUTS=50000` for a night. */
const ROLLOUTS = Number(process.env.WHILE_ROLLOUTS ?? 2000);
const CONCURRENCY = 64;
const KILLS = 10;
const BAD_DAY: ModelServerOptions = {
  ...{ latencyMs: [1, 20], malformed: 0.05, callsAtOnce: 48 },
  ...{ limited: 0.04, broken: 0.03, dropped: 0.03, cut: 0.03, stalled: 0.005 },
};

/** Runs the child and kills it once `isTime`; its report, or null when it was killed. */
function run(folder: string, url: string, isTime: () => boolean): Promise<SimulationReport | null> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, folder, url, String(ROLLOUTS)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [said, errors] = ["", ""];
    running.stdout.on("data", (data: Buffer) => {
      said += data;
    });
    running.stderr.on("data", (data: Buffer) => {
      errors += data;
    });
    const watch = setInterval(() => {
      if (isTime()) running.kill("SIGKILL");
    }, 5);
    running.on("close", (code, signal) => {
      clearInterval(watch);
      if (signal === "SIGKILL") resolve(null);
      else if (code === 0) resolve(JSON.parse(said));
      else reject(new Error(errors));
    });
  });
}

async function place(options: ModelServerOptions) {
  const folder = mkdtempSync(join(tmpdir(), "run-"));
  const server = await startModelServer(options);
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, server };
}

/** Whole lines: what a kill has torn is no row. */
function rowsIn(folder: string): Row[] {
  const path = join(folder, "rows.jsonl");
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a.rollout_id! < b.rollout_id! ? -1 : 1));

test(`${ROLLOUTS} rollouts over HTTP, ${CONCURRENCY} at once, killed ten times, are those of a run that nothing disturbed`, async () => {
  const { folder, server } = await place(BAD_DAY);
  let nLanded = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const until = (server.ended.ok ?? 0) + (2 * ROLLOUTS * (0.6 + 0.06 * kill)) / KILLS;
    expect(await run(folder, server.url, () => (server.ended.ok ?? 0) >= until), `kill ${kill}`).toBeNull();
    const now = rowsIn(folder).length;
    expect(now).toBeGreaterThan(nLanded);
    nLanded = now;
  }
  const report = await run(folder, server.url, () => false);
  expect(report).toMatchObject({
    rolloutsCompleted: ROLLOUTS,
    rolloutsLost: 0,
    rolloutsAbandoned: 0,
    stoppedBecause: "budget",
  });
  expect(report!.rolloutsResumed).toBe(nLanded);

  // Every bad day came.
  for (const word of ["ok", "limited", "broken", "dropped", "cut", "stalled"])
    expect(server.ended[word], word).toBeGreaterThan(0);
  // What had landed was not asked for again: beyond two calls a rollout are only those under way at a kill.
  expect(server.ended.ok! - 2 * ROLLOUTS).toBeLessThanOrEqual(2 * CONCURRENCY * KILLS);

  // The same model on a good day.
  const good = await place({ malformed: BAD_DAY.malformed! });
  await run(good.folder, good.server.url, () => false);
  const rows = rowsIn(folder);
  expect(rows).toHaveLength(ROLLOUTS);
  expect(byId(rows)).toEqual(byId(rowsIn(good.folder)));
  // Malformed calls are among them, as the agent's own.
  expect(rows.some(({ steps }) => steps?.some((step) => step.arguments_raw !== undefined))).toBe(true);
}, 1_800_000);
