import { Worker } from "node:worker_threads";
import type { Cell, CellResult } from "./study.ts";

export interface Job {
  study: string;
  cell: Cell;
  trials: number;
  seed: string;
}

/** All jobs on as many threads as there are cores; the results come in the order of the jobs, whoever did them. */
export async function runCells(
  jobs: readonly Job[],
  { workers, onDone }: { workers: number; onDone?: (done: number) => void },
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  let next = 0;
  let done = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL("./worker.mjs", import.meta.url));
      let at = -1;
      const give = () => {
        at = next++;
        if (at < jobs.length) worker.postMessage(jobs[at]);
        else void worker.terminate().then(() => resolve(), reject);
      };
      worker.on("error", reject);
      worker.on("message", (result: CellResult) => {
        results[at] = result;
        onDone?.(++done);
        give();
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  return results;
}
