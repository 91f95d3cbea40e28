import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "@while/schema";
import { expect, onTestFinished, test } from "vitest";

const child = fileURLToPath(new URL("child.mjs", import.meta.url));
/** Rollouts at once in it. */
const CONCURRENCY = 4;

/** Runs the child, and kills it once it has said `nCalls` more calls; what it called, and whether it came to its end. */
function runUntil(folder: string, how: string, nCalls: number): Promise<{ called: string[]; isDone: boolean }> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, folder, how], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    let errors = "";
    running.stdout.on("data", (data: Buffer) => {
      said += data;
      if (said.split("\n").length > nCalls) running.kill("SIGKILL");
    });
    running.stderr.on("data", (data: Buffer) => {
      errors += data;
    });
    running.on("close", (code, signal) => {
      if (signal !== "SIGKILL" && code !== 0) return reject(new Error(errors));
      const lines = said.split("\n").filter((line) => line !== "");
      resolve({
        called: lines.filter((line) => line.includes("#")),
        isDone: lines.some((line) => line.startsWith("done")),
      });
    });
  });
}

const rowsOf = (folder: string): Row[] =>
  readFileSync(join(folder, "rows.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a.rollout_id! < b.rollout_id! ? -1 : 1));

function runFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each(["drawn at once", "search"])(
  "killed ten times, a run (%s) comes to the rows of one that was not",
  async (how) => {
    const folder = runFolder();
    let nCalled = 0;
    for (let kill = 0; kill < 10; kill++) {
      const before = kill === 0 ? 0 : rowsOf(folder).length;
      const { called, isDone } = await runUntil(folder, how, 9 + ((kill * 5) % 13));
      expect(isDone).toBe(false);
      nCalled += called.length;
      // What had landed was not called again.
      expect(rowsOf(folder).length).toBeGreaterThan(before);
    }
    const { called, isDone } = await runUntil(folder, how, Number.POSITIVE_INFINITY);
    expect(isDone).toBe(true);
    nCalled += called.length;

    const undisturbed = runFolder();
    await runUntil(undisturbed, how, Number.POSITIVE_INFINITY);
    const rows = rowsOf(folder);
    expect(rows).toHaveLength(400);
    expect(byId(rows)).toEqual(byId(rowsOf(undisturbed)));
    // At most what was under way at a kill was called twice.
    expect(nCalled - rows.length).toBeLessThanOrEqual(10 * CONCURRENCY);

    // A run that is whole calls nobody.
    expect(await runUntil(folder, how, Number.POSITIVE_INFINITY)).toEqual({ called: [], isDone: true });
  },
  300_000,
);
