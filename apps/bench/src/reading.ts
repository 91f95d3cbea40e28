import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    await time("JSON.parse, lines already in memory", () => lines.forEach((line) => JSON.parse(line))),
    await time("JSON.parse and rowSchema (zod)", () => lines.forEach((line) => rowSchema.parse(JSON.parse(line)))),
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
  const alone = spawnSync(process.execPath, [...process.execArgv, process.argv[1]!, "stream-once", path], {
    encoding: "utf8",
  });
  process.stdout.write(`\nin a process of its own: ${alone.stdout || alone.stderr}`);
}

/** One pass over a file and the memory it took. */
export async function streamOnce([path]: string[]): Promise<void> {
  if (path === undefined) throw new Error("stream-once needs a file.");
  const before = process.resourceUsage().maxRSS / 1024;
  const started = performance.now();
  let rows = 0;
  let graded = 0;
  for await (const row of streamRowFiles([path])) {
    rows++;
    if (row.reward !== null && row.reward !== undefined) graded++;
  }
  const seconds = (performance.now() - started) / 1000;
  const mb = statSync(path).size / 1e6;
  const peak = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${mb.toFixed(0)} MB, ${rows} rows (${graded} graded) in ${seconds.toFixed(1)} s, ${(mb / seconds).toFixed(0)} MB/s, ` +
      `peak RSS ${peak.toFixed(0)} MB (${before.toFixed(0)} MB before the first row)\n`,
  );
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
