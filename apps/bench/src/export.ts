import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exportDataset, exportGrpo, exportKto, exportPreference } from "@while/export/files";
import { pyJson } from "@while/schema";
import { writeFileAtomically } from "@while/schema/files";
import { type Alone, inProcess } from "./measure-alone.ts";
import { peakRssMb } from "./peak-rss.ts";
import { printTable } from "./print-table.ts";

const SIZES = [5_000, 50_000, 500_000];
const ROLLOUTS_PER_TASK = 8;

/** Where the processes of one run find its files. */
const FOLDER = "WHILE_BENCH_EXPORT_FOLDER";

interface Measure {
  name: string;
  of: "rows" | "pairs";
  run: (file: string, output: string) => Promise<unknown>;
}

const MEASURES: Readonly<Record<string, Measure>> = {
  trl: {
    name: 'exportDataset, "trl"',
    of: "rows",
    run: (file, output) => exportDataset(file, { format: "trl", output: `${output}.jsonl` }),
  },
  unroll: {
    name: "the same, unrolled",
    of: "rows",
    run: (file, output) => exportDataset(file, { format: "trl", unroll: true, output: `${output}.jsonl` }),
  },
  parquet: {
    name: "the same, as Parquet",
    of: "rows",
    run: (file, output) => exportDataset(file, { format: "trl", output: `${output}.parquet` }),
  },
  shuffle: {
    name: "the same, shuffled",
    of: "rows",
    run: (file, output) => exportDataset(file, { format: "trl", shuffle: { seed: 0 }, output: `${output}.jsonl` }),
  },
  verl: {
    name: 'exportDataset, "verl"',
    of: "rows",
    run: (file, output) => exportDataset(file, { format: "verl", output: `${output}.jsonl` }),
  },
  kto: { name: "exportKto", of: "rows", run: (file, output) => exportKto(file, { output: `${output}.jsonl` }) },
  grpo: { name: "exportGrpo", of: "rows", run: (file, output) => exportGrpo(file, { output: `${output}.jsonl` }) },
  pairs: {
    name: 'exportPreference, "trl"',
    of: "pairs",
    run: (file, output) => exportPreference(file, { format: "trl", output: `${output}.jsonl` }),
  },
};

/** `export [NAME...] [--scale X]`: processor seconds and peak memory of exports at three sizes. */
export async function exportCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { scale: { type: "string", default: "1" }, alone: { type: "string" } },
    allowPositionals: true,
  });
  if (values.alone !== undefined) {
    process.stdout.write(JSON.stringify(await alone(positionals[0]!, values.alone)));
    return;
  }
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale is ${values.scale}: pass a number above 0.`);
  const names = positionals.length > 0 ? positionals : Object.keys(MEASURES);
  const unknown = names.find((name) => MEASURES[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(`There is no measure ${unknown}: pass some of ${Object.keys(MEASURES).join(", ")}.`);
  }
  const folder = mkdtempSync(join(tmpdir(), "while-bench-"));
  process.env[FOLDER] = folder;
  try {
    const sizes = SIZES.map((size) => Math.max(1, Math.round((size * scale) / ROLLOUTS_PER_TASK)) * ROLLOUTS_PER_TASK);
    for (const size of sizes) await makeFiles(folder, size, names);
    const lines = names.flatMap((name) => {
      const { name: words, of } = MEASURES[name]!;
      return sizes.map((rows) => {
        const { seconds, before, peak } = inProcess("export", name, rows);
        const mb = statSync(fileOf(folder, of, rows)).size / 1e6;
        const each = ((1e6 * seconds) / rows).toFixed(0);
        return [
          words,
          rows.toLocaleString("en"),
          mb.toFixed(0),
          seconds.toFixed(2),
          each,
          before.toFixed(0),
          peak.toFixed(0),
        ];
      });
    });
    process.stdout.write(`${ROLLOUTS_PER_TASK} rollouts a task; Node ${process.version}\n\n`);
    printTable(["", "rows", "MB", "CPU seconds", "µs a row", "MB before", "MB at the peak"], lines);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function alone(name: string, rows: string): Promise<Alone> {
  const folder = process.env[FOLDER]!;
  const { of, run } = MEASURES[name]!;
  const before = peakRssMb();
  const started = process.cpuUsage();
  await run(fileOf(folder, of, Number(rows)), join(folder, `out-${name}`));
  const { user, system } = process.cpuUsage(started);
  return { seconds: (user + system) / 1e6, before, peak: peakRssMb() };
}

function fileOf(folder: string, of: Measure["of"], rows: number): string {
  return join(folder, `${of}-${rows}.jsonl`);
}

async function makeFiles(folder: string, rows: number, names: readonly string[]): Promise<void> {
  for (const of of ["rows", "pairs"] as const) {
    if (!names.some((name) => MEASURES[name]!.of === of)) continue;
    const make = of === "rows" ? rolloutOf : pairOf;
    await writeFileAtomically(fileOf(folder, of, rows), async (file) => {
      let piece = "";
      for (let n = 0; n < rows; n++) {
        piece += `${pyJson(make(n), { ascii: false })}\n`;
        if (piece.length < 2 ** 20) continue;
        await file.write(piece);
        piece = "";
      }
      await file.write(piece);
    });
  }
}

/** About 1 kB: two calls, their answers, a reply. */
function rolloutOf(n: number): object {
  const task = Math.floor(n / ROLLOUTS_PER_TASK);
  const step = (tool: string, more: object) => ({
    tool,
    arguments: { order_id: `ORD-${100000 + task}`, ...more },
    result: { status: "ok", total: 18.5 + (n % 7), note: "shipped on monday, should arrive before friday" },
  });
  return {
    scenario_id: `task-${task}`,
    rollout_index: n % ROLLOUTS_PER_TASK,
    prompt: `Where is my order ORD-${100000 + task}? It should have been here on friday, and nobody answers my mails.`,
    steps: [step("lookup_order", { include: ["items", "history"] }), { text: "Found it.", ...step("track", { n }) }],
    final_text: `Il est en route — it left the warehouse on monday and arrives in ${2 + (n % 5)} days. `.repeat(3),
    reward: n % 3 === 0 ? 0 : 1,
    policy_version: "p1",
    faults: {},
  };
}

function pairOf(n: number): object {
  const chosen = rolloutOf(n) as { final_text: string };
  return {
    prompt: (chosen as { prompt?: string }).prompt,
    chosen,
    rejected: { ...chosen, final_text: "I cannot say." },
    margin: 1,
  };
}
