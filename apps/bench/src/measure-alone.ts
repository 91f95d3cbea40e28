import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { peakRssMb } from "./peak-rss.ts";

/** What one call took, in a process of its own. */
export interface Alone {
  /** Of the processor, the collector's threads included: the same on a busy machine. */
  seconds: number;
  /** Resident MB with the rows made, and at the peak. */
  before: number;
  peak: number;
}

/** Runs `<command> <name> --alone <rows>` in a process of its own, which prints what `measureAlone` found. */
export function inProcess(command: string, name: string, rows: number): Alone {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const run = spawnSync(process.execPath, [...process.execArgv, main, command, name, "--alone", String(rows)], {
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Alone;
}

/** @param run Its rows are made already */
export function measureAlone(run: () => unknown): Alone {
  const before = peakRssMb();
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return { seconds: (user + system) / 1e6, before, peak: peakRssMb() };
}
