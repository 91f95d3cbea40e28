import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MersenneTwister } from "@while/stats";
import { printTable } from "./print-table.ts";

/** Words of a language: the k-th is used about 1/k as often as the first (Zipf). */
const VOCABULARY = 50_000;
const EVAL_WORDS = 60;
const ROW_WORDS = 530;
/** One training row in so many holds a question of the evaluation: verbatim, alone or inside, in turn. */
const COPIES_EVERY = 100;

/** `decontaminate [--rows N] [--eval N] [--no-related]`: a training file against an evaluation, by size and by threads. */
export async function decontaminateCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "200000" },
      eval: { type: "string", default: "20000" },
      related: { type: "boolean", default: true },
    },
    allowNegative: true,
  });
  const [nRows, nEval] = [Number(values.rows), Number(values.eval)];
  const folder = mkdtempSync(join(tmpdir(), "while-bench-"));
  const table: string[][] = [];
  const outputs = new Map<string, Set<string>>();
  try {
    const against = join(folder, "eval.jsonl");
    const questions = await writeEval(against, nEval);
    for (const [share, workers] of [
      [0.25, 2],
      [0.5, 2],
      [1, 2],
      [1, 1],
    ] as const) {
      const rows = Math.round(nRows * share);
      const train = join(folder, `train-${rows}.jsonl`);
      if (!outputs.has(train)) await writeTrain(train, rows, questions);
      const output = join(folder, "clean.jsonl");
      const run = measured({ train, against, output, workers, related: values.related });
      const digest = createHash("sha256").update(readFileSync(output)).update(run.report).digest("hex");
      outputs.set(train, (outputs.get(train) ?? new Set()).add(digest));
      const mb = statSync(train).size / 1e6;
      table.push([
        rows.toLocaleString("en"),
        mb.toFixed(0),
        String(workers),
        run.dropped.toLocaleString("en"),
        run.seconds.toFixed(1),
        run.cpu.toFixed(1),
        Math.round(rows / run.seconds).toLocaleString("en"),
        (mb / run.seconds).toFixed(0),
        run.peakMb.toFixed(0),
      ]);
      process.stderr.write(`${table.at(-1)!.join("  ")}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(
    `${nEval.toLocaleString("en")} evaluation rows of ${EVAL_WORDS} words; Node ${process.version}\n\n`,
  );
  printTable(["rows", "MB", "threads", "dropped", "s", "CPU s", "rows/s", "MB/s", "peak MB"], table);
  const isSame = [...outputs.values()].every((digests) => digests.size === 1);
  process.stdout.write(`\nreport and clean file on 1 and 2 threads: ${isSame ? "the same bytes" : "DIFFERENT"}\n`);
  if (!isSame) process.exitCode = 1;
}

interface Measured {
  seconds: number;
  /** Of all threads: what a busy machine does not change. */
  cpu: number;
  peakMb: number;
  dropped: number;
  report: string;
}

/** In a process of its own, so that its memory is that of the work alone; the index is built in that time too. */
function measured(work: {
  train: string;
  against: string;
  output: string;
  workers: number;
  related: boolean;
}): Measured {
  const script = `
    import { readFileSync } from "node:fs";
    import { decontaminateFile } from "@while/trust/files";
    const { train, against, output, workers, related } = JSON.parse(process.argv[1]);
    // What resourceUsage calls the peak begins with that of the parent process; Linux has the true one here.
    const peakMb = () => process.platform === "linux"
      ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
      : process.resourceUsage().maxRSS / 1024;
    const started = performance.now();
    const before = process.cpuUsage();
    const report = await decontaminateFile(train, against, { output, workers, related });
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    const text = JSON.stringify(report, (_, value) => (value instanceof Map ? [...value] : value));
    console.log(JSON.stringify({ seconds, cpu: (user + system) / 1e6, peakMb: peakMb(), dropped: report.nContaminated, report: text }));
  `;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script, JSON.stringify(work)], {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (run.status !== 0) throw new Error(run.stderr.slice(0, 2000));
  return JSON.parse(run.stdout) as Measured;
}

async function writeEval(path: string, n: number): Promise<string[]> {
  const words = new Words(1);
  const questions = Array.from({ length: n }, () => words.text(EVAL_WORDS));
  await writeLines(path, n, (i) => ({ task_id: `eval-${i}`, prompt: questions[i]!, answer: String(i) }));
  return questions;
}

async function writeTrain(path: string, n: number, questions: readonly string[]): Promise<void> {
  const words = new Words(2);
  await writeLines(path, n, (i) => {
    const question = questions[(i * 7919) % questions.length]!;
    const kind = i % COPIES_EVERY === 0 ? (i / COPIES_EVERY) % 3 : -1;
    const own = words.text(ROW_WORDS);
    const prompt =
      kind === 0 ? question.toUpperCase() : kind === 1 ? `${own} ${question}` : kind === 2 ? `${question} ok` : own;
    return { task_id: `train-${i}`, prompt, final_text: "Done.", reward: i % 2 };
  });
}

async function writeLines(path: string, n: number, row: (i: number) => object): Promise<void> {
  const out = createWriteStream(path);
  let piece = "";
  for (let i = 0; i < n; i++) {
    piece += `${JSON.stringify(row(i))}\n`;
    if (piece.length < 2 ** 20) continue;
    if (!out.write(piece)) await once(out, "drain");
    piece = "";
  }
  out.end(piece);
  await once(out, "close");
}

class Words {
  readonly #rng: MersenneTwister;

  constructor(seed: number) {
    this.#rng = new MersenneTwister(seed);
  }

  text(n: number): string {
    const words: string[] = [];
    for (let i = 0; i < n; i++) {
      const rank = Math.floor(VOCABULARY ** this.#rng.random());
      words.push(wordOf(rank));
    }
    return words.join(" ");
  }
}

/** A word of its rank: syllables, shorter for the common ones. */
function wordOf(rank: number): string {
  let word = "";
  for (let left = rank; left > 0; left = Math.floor(left / 75)) {
    word += "bcdfghklmnprstv"[left % 15]! + "aeiou"[Math.floor(left / 15) % 5]!;
  }
  return word === "" ? "a" : word;
}
