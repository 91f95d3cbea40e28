import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { censusOf, type ReadReport, type Row } from "@while/schema";
import { type ReadFilesOptions, type ReadRowFiles, readRowFiles } from "@while/schema/files";
import { afterAll } from "vitest";

/**
 * A tool that `npm run interop` has installed, made to write a log of its own. The tool plays a small evaluation without a
 * network and without a model; its log is then read as a user would read it, by its path alone.
 */
export interface Tool {
  /** Not installed, whatever the reason: its tests are skipped. */
  isMissing: boolean;
  /** What its tests are called, with the reason if they are skipped. */
  title: string;
  version(): string;
  /** Runs the tool's writer with a folder to write into; resolves to that folder. */
  write(...args: readonly string[]): Promise<string>;
}

const here = fileURLToPath(new URL("../..", import.meta.url));
const isWindows = process.platform === "win32";
const run = promisify(execFile);
/** A tool's first run on a busy machine compiles all that it imports; six trainers took 200 s at a load of 34. */
const PATIENCE_MS = 480_000;
/** Of a test that runs a tool once. */
export const TIMEOUT_MS = 500_000;

/** A Python tool with the writer `python/write_<name>.py`, or another one. */
export function pythonTool(name: string, distribution: string, writer = name.replaceAll("-", "_")): Tool {
  const folder = join(here, ".python", name);
  const python = join(folder, ...(isWindows ? ["Scripts", "python.exe"] : ["bin", "python"]));
  const ask = `from importlib.metadata import version; print(version("${distribution}"))`;
  return tool(distribution, folder, {
    version: () => execFileSync(python, ["-c", ask], { encoding: "utf8" }).trim(),
    write: async (into, args) => {
      const script = join(here, "python", `write_${writer}.py`);
      // Stray settings of the machine must not decide what a tool writes, nor may it ask anybody anything.
      const env = { PATH: process.env.PATH, HOME: into, USERPROFILE: into, PYTHONUTF8: "1", ...OFFLINE };
      await run(python, [script, into, ...args], { cwd: into, env, timeout: PATIENCE_MS, maxBuffer: 1 << 26 });
    },
  });
}

/** A Node tool; the files are copied beside what was installed, which is where they find it by its name. */
export function nodeTool(
  name: string,
  distribution: string,
  command: readonly string[],
  files: readonly string[],
): Tool {
  const folder = join(here, ".node-tools", name);
  return tool(distribution, folder, {
    version: () =>
      JSON.parse(readFileSync(join(folder, "node_modules", distribution, "package.json"), "utf8")).version as string,
    write: async (into, args) => {
      for (const file of files) copyFileSync(join(here, "node", file), join(folder, file));
      const env = { PATH: process.env.PATH, HOME: into, USERPROFILE: into, ...OFFLINE };
      const placed = [...command, ...args].map((word) => word.replaceAll("{into}", into));
      await run(process.execPath, placed, { cwd: folder, env, timeout: PATIENCE_MS, maxBuffer: 1 << 26 });
    },
  });
}

const OFFLINE = {
  DO_NOT_TRACK: "1",
  NO_COLOR: "1",
  HF_HUB_OFFLINE: "1",
  HF_DATASETS_OFFLINE: "1",
  PROMPTFOO_DISABLE_TELEMETRY: "1",
  PROMPTFOO_DISABLE_UPDATE: "1",
  // Failed tests are what the log is for.
  PROMPTFOO_FAILED_TEST_EXIT_CODE: "0",
  PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
};

function tool(
  distribution: string,
  folder: string,
  how: { version(): string; write(into: string, args: readonly string[]): Promise<void> },
): Tool {
  const isMissing = !existsSync(join(folder, ".prepared"));
  if (isMissing) console.log(`${distribution} is not installed, its tests are skipped: npm run interop installs it`);
  return {
    isMissing,
    title: isMissing ? `${distribution} (skipped: it is not installed; npm run interop installs it)` : distribution,
    version: how.version,
    async write(...args) {
      const into = mkdtempSync(join(tmpdir(), "while-interop-"));
      folders.push(into);
      await how.write(into, args);
      return into;
    },
  };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Reads a tool's files by their paths, no format named, and prints what came of them. */
export async function readLog(
  tool: Tool,
  name: string,
  files: readonly string[],
  options: ReadFilesOptions = {},
): Promise<ReadRowFiles> {
  const read = await readRowFiles(files, options);
  const { tasks } = censusOf(read.rows);
  const lost = read.rows.filter(({ judge_status }) => judge_status === "error").length;
  const graded = read.rows.filter(({ reward }) => typeof reward === "number").length;
  console.log(
    [
      `${name} ${tool.version()}`.padEnd(42),
      `as ${read.report.format}`.padEnd(20),
      `files ${files.length}  rows ${read.rows.length}  tasks ${tasks}  graded ${graded}  lost ${lost}`,
    ].join("  "),
  );
  return read;
}

/** The tool's own numbers for the file, and what our rows make of them by the tool's own way of counting. */
export function ownNumbers(report: ReadReport): unknown[] {
  return report.files.flatMap((file) =>
    (file.toolHeadlines ?? []).map(({ name, value, fromItems }) => [name, value, fromItems]),
  );
}

/** What a test asks of most rows: which task, what was decided, what was called, what was said last. */
export function gist(row: Row): unknown[] {
  const calls = (row.steps ?? []).flatMap((step) => (step.tool ? [[step.tool, step.arguments]] : []));
  return [row.scenario_id ?? row.task_id, row.rollout_index, row.reward ?? null, calls, row.final_text];
}
