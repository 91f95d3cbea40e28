import { parseArgs } from "node:util";
import type { Row } from "@while/schema";
import { deltaReport, passAt } from "@while/stats";
import { inProcess, measureAlone } from "./measure-alone.ts";
import { printTable } from "./print-table.ts";

const ROLLOUTS = 10;
const MARKERS = 20;

interface Measure {
  name: string;
  /** Rows of the largest size; the others are half and a quarter of it. */
  rows: number;
  run: (rows: number) => () => unknown;
}

/** The two reports that everything else is made of, on as many rows as an eval has. */
const MEASURES: Readonly<Record<string, Measure>> = {
  "pass-at": { name: "passAt(rows)", rows: 1_000_000, run: (rows) => withRows([arm(rows, 0, 0)], ([a]) => passAt(a!)) },
  delta: {
    name: `deltaReport(before, after), ${MARKERS} markers`,
    rows: 200_000,
    run: (rows) => withRows([arm(rows, 0, MARKERS), arm(rows, 1, MARKERS)], ([a, b]) => deltaReport(a!, b!)),
  },
  "delta-compat": {
    name: "the same in compat, 2,000 draws",
    rows: 200_000,
    run: (rows) =>
      withRows([arm(rows, 0, MARKERS), arm(rows, 1, MARKERS)], ([a, b]) =>
        deltaReport(a!, b!, { inference: "compat", nBoot: 2000 }),
      ),
  },
};

/** `stats [--scale X] [NAME...]`: processor seconds and peak memory at three sizes, each in a process of its own. */
export async function statsCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { scale: { type: "string", default: "1" }, alone: { type: "string" } },
    allowPositionals: true,
  });
  if (values.alone !== undefined) {
    process.stdout.write(JSON.stringify(measureAlone(MEASURES[positionals[0]!]!.run(Number(values.alone)))));
    return;
  }
  const scale = Number(values.scale);
  if (!(scale > 0)) throw new Error(`--scale is ${values.scale}: pass a number above 0.`);
  const names = positionals.length > 0 ? positionals : Object.keys(MEASURES);
  const lines = names.flatMap((name) => {
    const measure = MEASURES[name];
    if (measure === undefined)
      throw new Error(`There is no measure ${name}: pass some of ${Object.keys(MEASURES).join(", ")}.`);
    return [4, 2, 1].map((part) => {
      const rows = (Math.round((measure.rows * scale) / part / ROLLOUTS) || 1) * ROLLOUTS;
      const { seconds, before, peak } = inProcess("stats", name, rows);
      const each = ((1e6 * seconds) / rows).toFixed(2);
      return [measure.name, rows.toLocaleString("en"), seconds.toFixed(2), each, before.toFixed(0), peak.toFixed(0)];
    });
  });
  process.stdout.write(`${ROLLOUTS} rollouts a task, rows in memory; Node ${process.version}\n\n`);
  printTable(["", "rows a side", "CPU seconds", "µs a row", "MB with the rows", "MB at the peak"], lines);
}

/** Rows are made before the clock starts. */
function withRows(arms: readonly Row[][], use: (arms: readonly Row[][]) => unknown): () => unknown {
  return () => use(arms);
}

/** Rows of one side: one in two passes or so, tasks of different difficulty, markers as shares. */
function arm(nRows: number, side: number, markers: number): Row[] {
  const names = Array.from({ length: markers }, (_, i) => `marker ${i}`);
  return Array.from({ length: nRows }, (_, i): Row => {
    const task = Math.floor(i / ROLLOUTS);
    const noise = (of: number) =>
      ((((i + 1) * 7919 + of * 104_729 + side * 1_299_709) * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
    const row: Row = { task_id: `task ${task}`, reward: noise(0) < ((task % 97) + 2 * side) / 100 ? 1 : 0 };
    if (markers > 0) row.markers = Object.fromEntries(names.map((name, of) => [name, noise(of + 1) < 0.7 ? 1 : 0]));
    return row;
  });
}
