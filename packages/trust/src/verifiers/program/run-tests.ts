import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import * as z from "zod";
import { TrustError } from "../../trust-error.ts";
import { JAVASCRIPT_HARNESS } from "./harness-javascript.ts";
import { PYTHON_HARNESS } from "./harness-python.ts";

export type ProgramLanguage = "python" | "javascript";

export interface TestRun {
  language: ProgramLanguage;
  /** The executable; the usual one of the language when null. */
  interpreter: string | null;
  setup: string;
  candidate: string;
  tests: string;
  timeoutMs: number;
  cpuSeconds: number;
  memMb: number;
  signal: AbortSignal | undefined;
}

/** What the harness says at its end. */
export interface TestReport {
  nonce: string;
  /** Tests that there are, and those that ran. */
  declared: number;
  ran: number;
  failed: [test: string, error: string, message: string][];
  /** Where it ended: all but `tests` before the first test. */
  phase: "unreadable" | "empty" | "setup" | "candidate" | "tests";
}

const reportSchema: z.ZodType<TestReport> = z.object({
  nonce: z.string(),
  declared: z.int(),
  ran: z.int(),
  failed: z.array(z.tuple([z.string(), z.string(), z.string()])),
  phase: z.enum(["unreadable", "empty", "setup", "candidate", "tests"]),
});

/** How a run ended: with a report that only the harness can have written, or without one. */
export type TestRunEnd = { report: TestReport } | { ended: "timeout" | "cpu" | "early" };

/** A report is a few lines; a program that writes more to its channel is not believed. */
const MAX_REPORT_CHARS = 1_000_000;
/** Largest file that a program may write, in blocks of 512 bytes: 16 MB. */
const MAX_FILE_BLOCKS = 32_768;

/**
 * Runs a program and its tests in a process of their own: a private directory that is removed afterwards, an environment
 * with nothing of ours, a limit on time, processor, memory and file size, and no network where the system lets us take it
 * away. What the program prints goes nowhere.
 *
 * This keeps honest mistakes apart from the machine. It is no security boundary: a program that means harm needs a
 * container or a virtual machine around the whole.
 *
 * @throws TrustError `cannot_verify` when the interpreter cannot be started
 */
export async function runTests(run: TestRun): Promise<TestRunEnd> {
  const directory = await mkdtemp(join(tmpdir(), "while-code-"));
  try {
    const harness = join(directory, run.language === "python" ? "harness.py" : "harness.cjs");
    await writeFile(harness, run.language === "python" ? PYTHON_HARNESS : JAVASCRIPT_HARNESS);
    return await ended(start(run, harness, directory), run);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function start(run: TestRun, harness: string, directory: string): ChildProcess {
  const { language, cpuSeconds, memMb } = run;
  const interpreter = interpreterOf(language, run.interpreter);
  // V8 reserves far more address space than it uses, so its heap is limited by itself.
  const flags = language === "python" ? ["-I", "-B"] : [`--max-old-space-size=${memMb}`];
  const command = [interpreter, ...flags, harness];
  const memory = language === "python" ? `ulimit -v ${memMb * 1024} 2>/dev/null;` : "";
  const limits = `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -f ${MAX_FILE_BLOCKS}; ${memory} exec "$@"`;
  const [program, ...rest] =
    process.platform === "win32" ? command : [...withoutNetwork(), "/bin/sh", "-c", limits, "sh", ...command];
  return spawn(program!, rest, {
    cwd: directory,
    env: { PATH: process.env.PATH ?? "", HOME: directory, TMPDIR: directory, LANG: "C.UTF-8" },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    // A group of its own, so that what the program started ends with it.
    detached: process.platform !== "win32",
  });
}

function ended(child: ChildProcess, { setup, candidate, tests, timeoutMs, signal }: TestRun): Promise<TestRunEnd> {
  const nonce = randomUUID();
  return new Promise((resolve, reject) => {
    let text = "";
    let end: TestRunEnd | null = null;
    const stop = (how: TestRunEnd) => {
      end ??= how;
      kill(child);
    };
    const timer = setTimeout(() => stop({ ended: "timeout" }), timeoutMs);
    const onAbort = () => stop({ ended: "timeout" });
    signal?.addEventListener("abort", onAbort, { once: true });
    const channel = child.stdio[3] as Duplex;
    channel.setEncoding("utf8");
    channel.on("data", (part: string) => {
      text += part;
      const report = text.endsWith("\n") ? reportOf(text, nonce) : null;
      if (report !== null) stop({ report });
      else if (text.length > MAX_REPORT_CHARS) stop({ ended: "early" });
    });
    // A program that is gone before it has read its job breaks the pipe; that it left no report says it all.
    channel.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      const what = `The interpreter could not be started: ${error.message}.`;
      reject(new TrustError("cannot_verify", what, "Install it, or name it with interpreter.", { cause: error }));
    });
    child.on("close", (_code, endSignal) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      kill(child);
      resolve(end ?? { ended: endSignal === "SIGXCPU" ? "cpu" : "early" });
    });
    if (signal?.aborted) onAbort();
    channel.write(`${JSON.stringify({ nonce, setup, candidate, tests })}\n`);
  });
}

/** null for lines of which none is the harness's. */
function reportOf(text: string, nonce: string): TestReport | null {
  for (const line of text.trimEnd().split("\n")) {
    try {
      const report = reportSchema.safeParse(JSON.parse(line));
      if (report.success && report.data.nonce === nonce) return report.data;
    } catch {
      // What the program wrote there itself; only a line with the nonce counts.
    }
  }
  return null;
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const found = new Map<string, string>();

const SELF: Readonly<Record<ProgramLanguage, readonly string[]>> = {
  python: ["-c", "import sys; print(sys.executable)"],
  javascript: ["-p", "process.execPath"],
};

/** The executable itself: what lies in PATH may be a script that wants the environment we take away. */
function interpreterOf(language: ProgramLanguage, given: string | null): string {
  if (language === "javascript" && given === null) return process.execPath;
  const name = given ?? (process.platform === "win32" ? "python" : "python3");
  let path = found.get(name);
  if (path === undefined) {
    try {
      path = execFileSync(name, SELF[language], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch (error) {
      const what = `The interpreter ${name} could not be started.`;
      throw new TrustError("cannot_verify", what, "Install it, or name another with interpreter.", { cause: error });
    }
    found.set(name, path);
  }
  return path;
}

let networkless: readonly string[] | null = null;

/** How a process is started without a network; empty where the system does not let us. */
function withoutNetwork(): readonly string[] {
  if (networkless !== null) return networkless;
  const command = ["unshare", "--map-root-user", "--net", "--"];
  try {
    execFileSync(command[0]!, [...command.slice(1), "true"], { stdio: "ignore" });
    networkless = command;
  } catch {
    networkless = []; // No such program, or no right to use it: the network stays, as the README says.
  }
  return networkless;
}
