import { parseArgs } from "node:util";
import type { Row } from "@while/schema";
import { hackScan, optimize } from "@while/select";
import { MersenneTwister } from "@while/stats";
import { inProcess, measureAlone } from "./measure-alone.ts";
import { printTable } from "./print-table.ts";
import { drafts, rowsOf } from "./select-studies/replies.ts";

const SIZES = [5_000, 50_000, 500_000];
const ROLLOUTS = 10;
const SCAN = { topK: 500, nPerm: 100, endorsed: ["marker:found"] } as const;

interface Measure {
  name: string;
  run: (rows: readonly Row[]) => () => unknown;
}

const SCANS: Readonly<Record<string, Measure>> = {
  scan: { name: "hackScan(rows), 100 shuffles", run: (rows) => () => hackScan(rows, { ...SCAN, endorsed: [] }) },
  endorsed: { name: "the same, with endorsed", run: (rows) => () => hackScan(rows, SCAN) },
};
const SELECTIONS: Readonly<Record<string, Measure>> = {
  rl: { name: 'optimize(rows, { mode: "rl" })', run: (rows) => () => optimize(rows, { mode: "rl" }) },
  sft: { name: 'optimize(rows, { mode: "sft" })', run: (rows) => () => optimize(rows, { mode: "sft" }) },
  all: {
    name: "the same for rl, all of the rows for a target",
    run: (rows) => () => optimize(rows, { mode: "rl", target: rows.length }),
  },
};

/** `hack-scan [NAME...] [--scale X]`: processor seconds and peak memory of hackScan at three sizes. */
export const hackScanCommand = (args: string[]): Promise<void> => sizesCommand("hack-scan", SCANS, args);

/** `select [NAME...] [--scale X]`: the same of optimize. */
export const selectCommand = (args: string[]): Promise<void> => sizesCommand("select", SELECTIONS, args);

async function sizesCommand(
  command: string,
  measures: Readonly<Record<string, Measure>>,
  args: string[],
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { scale: { type: "string", default: "1" }, alone: { type: "string" } },
    allowPositionals: true,
  });
  if (values.alone !== undefined) {
    const rows = makeRows(Number(values.alone));
    process.stdout.write(JSON.stringify(measureAlone(measures[positionals[0]!]!.run(rows))));
    return;
  }
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale is ${values.scale}: pass a number above 0.`);
  const names = positionals.length > 0 ? positionals : Object.keys(measures);
  const lines = names.flatMap((name) => {
    const measure = measures[name];
    if (measure === undefined) {
      throw new Error(`There is no measure ${name}: pass some of ${Object.keys(measures).join(", ")}.`);
    }
    return SIZES.map((size) => {
      const rows = (Math.round((size * scale) / ROLLOUTS) || 1) * ROLLOUTS;
      const { seconds, before, peak } = inProcess(command, name, rows);
      const each = ((1e6 * seconds) / rows).toFixed(1);
      return [measure.name, rows.toLocaleString("en"), seconds.toFixed(2), each, before.toFixed(0), peak.toFixed(0)];
    });
  });
  const features = hackScan(makeRows(5_000), { ...SCAN, nPerm: 19 }).nFeatures;
  process.stdout.write(`${ROLLOUTS} rollouts an ask, ${features} features; Node ${process.version}\n\n`);
  printTable(["", "rows", "CPU seconds", "µs a row", "MB with the rows", "MB at the peak"], lines);
}

/** An honest judge with some wrong labels, over the replies of the studies. */
function makeRows(nRows: number): Row[] {
  const rng = new MersenneTwister(0);
  return Array.from({ length: Math.ceil(nRows / ROLLOUTS) }, (_, ask) => {
    const list = drafts(ask, ROLLOUTS, { echo: 0.8, rate: 0.1 + 0.8 * rng.random() }, rng);
    return rowsOf(list, ({ found }) => found !== rng.random() < 0.1);
  }).flat();
}
