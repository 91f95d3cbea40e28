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
const REPEATS = 5;

interface Timed {
  name: string;
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
  const { rows } = readRows(bytes);

  const timed: Timed[] = [
    await time("JSON.parse, lines already in memory", () => {
      for (const line of lines) JSON.parse(line);
    }),
    await time("JSON.parse, values kept", () => {
      const values: unknown[] = [];
      for (const line of lines) values.push(JSON.parse(line));
    }),
    await time("JSON.parse and rowSchema (zod)", () => {
      for (const line of lines) rowSchema.parse(JSON.parse(line));
    }),
    await time("read the file, split it, JSON.parse", () => {
      for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") JSON.parse(line);
    }),
    await time("parseJsonl(bytes)", () => void parseJsonl(bytes)),
    await time("readRows(bytes), validated", () => void readRows(bytes)),
    await time("streamRowFiles([file]), validated", () => drain(streamRowFiles([path]))),
    await time("readRowFiles([file]), validated", async () => void (await readRowFiles([path]))),
    await time("streamRowFiles([file.gz]), validated", () => drain(streamRowFiles([packed]))),
    await time("writeJsonl(file, rows)", async () => void (await writeJsonl(copy, rows))),
  ];

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

async function time(name: string, run: () => void | Promise<void>): Promise<Timed> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < REPEATS; i++) {
    const started = performance.now();
    await run();
    best = Math.min(best, performance.now() - started);
  }
  return { name, seconds: best / 1000 };
}

async function drain(rows: AsyncIterable<Row>): Promise<void> {
  for await (const _ of rows);
}

/** A string of its own: what `split` hands out are views into the whole file, and slower to parse. */
function flat(line: string): string {
  return Buffer.from(line).toString();
}
