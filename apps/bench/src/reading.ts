import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { parseJsonl, type Row, readRows, rowSchema } from "@while/schema";
import { readRowFiles, streamRowFiles, writeJsonl } from "@while/schema/files";
import { makeRollouts } from "./make-rollouts.ts";
import { printTable } from "./print-table.ts";

/** Runs of each; the fastest counts, because what disturbs a run only ever slows it. */
const REPEATS = 7;

interface Timed {
  name: string;
  run: () => unknown;
  /** Of the fastest run. */
  seconds: number;
}

/** `reading [FILE] [--mb N]`: reading and validating rows, in shares of what `JSON.parse` alone does. */
export async function readingCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { mb: { type: "string", default: "60" } },
    allowPositionals: true,
  });
  const folder = mkdtempSync(join(tmpdir(), "while-bench-"));
  try {
    const path = positionals[0] ?? join(folder, "rollouts.jsonl");
    if (positionals[0] === undefined) await makeRollouts(path, Number(values.mb) * 1e6);
    await measure(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(path: string, folder: string): Promise<void> {
  const bytes = readFileSync(path);
  const lines = bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map(flat);
  const packed = join(folder, "rollouts.jsonl.gz");
  writeFileSync(packed, gzipSync(bytes, { level: 1 }));
  const copy = join(folder, "copy.jsonl");

  const reading: Timed[] = [
    { name: "JSON.parse, lines already in memory", run: () => lines.forEach(parse) },
    { name: "JSON.parse, values kept", run: () => lines.map((line) => JSON.parse(line)) },
    { name: "JSON.parse and rowSchema (zod)", run: () => lines.forEach(parseChecked) },
    { name: "read the file, split it, JSON.parse", run: () => ownLines(path).forEach(parse) },
    { name: "parseJsonl(bytes)", run: () => parseJsonl(bytes) },
    { name: "readRows(bytes), validated", run: () => readRows(bytes) },
    { name: "streamRowFiles([file]), validated", run: () => drain(streamRowFiles([path])) },
    { name: "readRowFiles([file]), validated", run: () => readRowFiles([path]) },
    { name: "streamRowFiles([file.gz]), validated", run: () => drain(streamRowFiles([packed])) },
  ].map((one) => ({ ...one, seconds: Number.POSITIVE_INFINITY }));
  await timeInTurn(reading);
  const { rows } = readRows(bytes);
  const writing: Timed[] = [
    { name: "writeJsonl(file, rows)", run: () => writeJsonl(copy, rows), seconds: Number.POSITIVE_INFINITY },
  ];
  await timeInTurn(writing);
  const timed = [...reading, ...writing];

  const bare = timed[0]!.seconds;
  const mb = bytes.length / 1e6;
  process.stdout.write(
    `${lines.length} rows, ${mb.toFixed(0)} MB, ${Math.round(bytes.length / lines.length)} bytes a row; Node ${process.version}, best of ${REPEATS}\n\n`,
  );
  printTable(
    ["", "MB/s", "rows/s", "µs a row", "of JSON.parse"],
    timed.map(({ name, seconds }) => [
      name,
      (mb / seconds).toFixed(0),
      Math.round(lines.length / seconds).toLocaleString("en"),
      ((seconds * 1e6) / lines.length).toFixed(1),
      `${((100 * bare) / seconds).toFixed(0)}%`,
    ]),
  );
  process.stdout.write(`\nin a process of its own: ${streamAlone(path)}`);
}

/** One pass over a file in plain Node, whose memory is then that of the reader alone. */
function streamAlone(path: string): string {
  const script = `
    import { readFileSync, statSync } from "node:fs";
    import { streamRowFiles } from "@while/schema/files";
    const path = process.argv[1];
    // What resourceUsage calls the peak begins with that of the parent process; Linux has the true one here.
    const peakMb = () => process.platform === "linux"
      ? Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024
      : process.resourceUsage().maxRSS / 1024;
    const before = peakMb();
    const started = performance.now();
    let rows = 0;
    for await (const row of streamRowFiles([path])) rows++;
    const seconds = (performance.now() - started) / 1000;
    const mb = statSync(path).size / 1e6;
    const peak = peakMb();
    console.log([
      mb.toFixed(0) + " MB and " + rows + " rows in " + seconds.toFixed(1) + " s",
      (mb / seconds).toFixed(0) + " MB/s",
      "peak RSS " + peak.toFixed(0) + " MB (" + before.toFixed(0) + " MB before the first row)",
    ].join(", "));
  `;
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script, resolve(path)], {
    cwd,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

/** One run of each after the other, and again: what disturbs the machine for a while then disturbs them alike. */
async function timeInTurn(timed: readonly Timed[]): Promise<void> {
  for (let i = 0; i < REPEATS; i++) {
    for (const one of timed) {
      const started = performance.now();
      await one.run();
      one.seconds = Math.min(one.seconds, (performance.now() - started) / 1000);
    }
  }
}

function parse(line: string): void {
  JSON.parse(line);
}

function parseChecked(line: string): void {
  rowSchema.parse(JSON.parse(line));
}

function ownLines(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

async function drain(rows: AsyncIterable<Row>): Promise<void> {
  for await (const _ of rows);
}

/** A string of its own: what `split` hands out are views into the whole file, and slower to parse. */
function flat(line: string): string {
  return Buffer.from(line).toString();
}
