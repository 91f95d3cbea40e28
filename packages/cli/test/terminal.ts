import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Io, Sink } from "../src/io/io.ts";
import { main } from "../src/main.ts";

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `main` in this process, with its output in memory: for everything but signals, pipes and stdin. */
export async function wai(
  argv: readonly string[],
  { env = {}, isTty = false }: { env?: Io["env"]; isTty?: boolean } = {},
): Promise<Outcome> {
  const stdout = sink(isTty);
  const stderr = sink(isTty);
  const code = await main(argv, { stdout, stderr, env, now: () => performance.now() });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function sink(isTty: boolean): Sink & { text(): string } {
  const written: string[] = [];
  return {
    write: (text) => written.push(text) > 0,
    closed: false,
    isTty,
    columns: 80,
    text: () => written.join(""),
  };
}

export const BIN: string = fileURLToPath(new URL("../bin/wai.js", import.meta.url));

/** The built `wai` as a process. */
export function spawnWai(
  argv: readonly string[],
  { cwd, stdin = "", env = {} }: { cwd?: string; stdin?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Outcome & { signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], { cwd, env: { ...process.env, ...env } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on("error", () => {}); // a child that reads no stdin closes it
    child.stdin.end(stdin);
  });
}

/** An empty folder for one test. */
export function folder(): (name: string) => string {
  const dir = mkdtempSync(join(tmpdir(), "wai-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return (name) => join(dir, name);
}
