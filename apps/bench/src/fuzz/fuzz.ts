import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cpuMsOf } from "../cpu-of.ts";
import { printTable } from "../print-table.ts";
import type { FuzzMessage, FuzzTask } from "./fuzz-worker.ts";
import { makeInput } from "./make-input.ts";
import { readInput } from "./read-input.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

/** A worker that works longer at one input hangs: it stops itself to count a second three times. */
const HANG_CPU_MS = 15_000;

/** One that does not work either waits for what will never come. */
const WAIT_MS = 600_000;

/** A worker that needs more heap dies, and its input is a finding. */
const HEAP_MB = 1024;

const PROGRESS_MS = 10_000;

interface Finding {
  index: number;
  what: string;
}

/** `fuzz --inputs N --seed S [--from I] [--workers N] [--only I]` */
export async function fuzzCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      inputs: { type: "string", default: "1000000" },
      seed: { type: "string", default: "0" },
      from: { type: "string", default: "0" },
      workers: { type: "string", default: String(availableParallelism()) },
      only: { type: "string" },
    },
  });
  const seed = Number(values.seed);
  const folder = mkdtempSync(join(tmpdir(), "while-fuzz-"));
  try {
    const files = await sourceFiles();
    if (values.only !== undefined) {
      await readOne(seed, Number(values.only), files, folder);
      return;
    }
    const run = new FuzzRun(seed, files, folder, Number(values.inputs));
    process.exitCode = (await run.all(Number(values.from), Number(values.workers))) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Saves one input and says what becomes of it. */
async function readOne(
  seed: number,
  index: number,
  files: readonly (readonly SourceFile[])[],
  folder: string,
): Promise<void> {
  const input = makeInput(seed, index, files);
  process.stdout.write(`${saved(seed, index, files)}, from ${input.source}, with ${JSON.stringify(input.options)}\n`);
  const { kind, what } = await readInput(input, folder);
  process.stdout.write(`${kind}${what === "" ? "" : `: ${what}`}\n`);
}

function saved(seed: number, index: number, files: readonly (readonly SourceFile[])[]): string {
  const input = makeInput(seed, index, files);
  const findings = join(tmpdir(), "while-fuzz-findings");
  mkdirSync(findings, { recursive: true });
  const path = join(findings, `${seed}-${index}-${input.name}`);
  writeFileSync(path, input.bytes);
  return path;
}

/** Workers, what they found, and how far they are. */
class FuzzRun {
  readonly #seed: number;
  readonly #files: readonly (readonly SourceFile[])[];
  readonly #folder: string;
  readonly #to: number;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<string, number>();
  /** The input at which each worker is. */
  readonly #at = new Map<number, number>();
  #nRead = 0;
  #peakMb = 0;

  constructor(seed: number, files: readonly (readonly SourceFile[])[], folder: string, to: number) {
    this.#seed = seed;
    this.#files = files;
    this.#folder = folder;
    this.#to = to;
  }

  /** Whether there was nothing to find. */
  async all(from: number, nWorkers: number): Promise<boolean> {
    const started = performance.now();
    const progress = setInterval(() => this.#sayProgress(), PROGRESS_MS);
    await Promise.all(Array.from({ length: nWorkers }, (_, worker) => this.#worker(worker, from + worker, nWorkers)));
    clearInterval(progress);
    const seconds = (performance.now() - started) / 1000;
    process.stdout.write(
      `${this.#nRead.toLocaleString("en")} inputs under seed ${this.#seed} from ${this.#files.flat().length} files of ` +
        `${this.#files.length} formats in ${seconds.toFixed(0)} s, peak RSS ${this.#peakMb.toFixed(0)} MB a worker\n\n`,
    );
    const counts = [...this.#counts].sort(([, a], [, b]) => b - a);
    printTable(
      ["outcome", "inputs", "share"],
      counts.map(([outcome, n]) => [outcome, n.toLocaleString("en"), `${((100 * n) / this.#nRead).toFixed(1)}%`]),
    );
    const n = this.#findings.length;
    process.stdout.write(
      n === 0 ? "\nno faults\n" : `\n${n} faults; read one again with --seed ${this.#seed} --only I\n`,
    );
    return n === 0;
  }

  /** Reads its share of the inputs; where a worker dies or hangs, the next one goes on behind that input. */
  async #worker(worker: number, from: number, step: number): Promise<void> {
    const folder = join(this.#folder, String(worker));
    mkdirSync(folder);
    const progress = join(this.#folder, `${worker}.progress`);
    let next = from;
    while (next < this.#to) {
      writeFileSync(progress, "");
      const death = await this.#child({ seed: this.#seed, from: next, to: this.#to, step, folder, progress }, worker);
      if (death === null) return;
      const at = readFileSync(progress, "utf8");
      if (at === "") throw new Error(`A worker did not come to its first input: ${death}.`);
      const index = Number(at);
      this.#found({ index, what: death });
      next = index + step;
    }
  }

  /** null for a worker that came to its end, or how it did not. */
  #child(task: FuzzTask, worker: number): Promise<string | null> {
    const child: ChildProcess = fork(
      fileURLToPath(new URL("fuzz-worker.ts", import.meta.url)),
      [JSON.stringify(task)],
      {
        execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_MB}`],
      },
    );
    child.on("message", (message) => this.#hear(message as FuzzMessage));
    let isHanging = false;
    let since = { cpu: 0, clock: performance.now() };
    const watch = setInterval(() => {
      const at = readFileSync(task.progress, "utf8");
      // Until it is at its first input, it reads the fixtures.
      const now = { cpu: cpuMsOf(child.pid!), clock: performance.now() };
      if (at === "" || Number(at) !== this.#at.get(worker)) since = now;
      if (at !== "") this.#at.set(worker, Number(at));
      if (now.cpu - since.cpu < HANG_CPU_MS && now.clock - since.clock < WAIT_MS) return;
      isHanging = true;
      child.kill("SIGKILL");
    }, 250);
    return new Promise((resolve) => {
      child.on("exit", (code, signal) => {
        clearInterval(watch);
        if (isHanging) resolve(`hangs: no end after ${HANG_CPU_MS / 1000} s of processor time`);
        else resolve(code === 0 ? null : `the process died (${signal ?? `exit ${code}`})`);
      });
    });
  }

  #hear(message: FuzzMessage): void {
    if (message.kind === "fault") {
      this.#found(message);
      return;
    }
    this.#nRead += message.read;
    this.#peakMb = Math.max(this.#peakMb, message.peakMb);
    for (const [outcome, n] of Object.entries(message.counts)) {
      this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + n);
    }
  }

  #found({ index, what }: Finding): void {
    this.#findings.push({ index, what });
    const path = saved(this.#seed, index, this.#files);
    process.stdout.write(`input ${index}: ${what.split("\n").slice(0, 4).join("\n")}\n  ${path}\n`);
  }

  #sayProgress(): void {
    const at = this.#at.size === 0 ? "0" : Math.min(...this.#at.values());
    process.stderr.write(
      `${this.#nRead.toLocaleString("en")} read, ${this.#findings.length} faults; to go on from here: --from ${at}\n`,
    );
  }
}
