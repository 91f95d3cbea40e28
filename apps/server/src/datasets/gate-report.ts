import { Worker } from "node:worker_threads";
import type { GateTask } from "./gate-worker.ts";

/** Sets beyond these sizes are not gated on the server: it answers others meanwhile. `wai gate` reads any file. */
export const GATE_ROWS_MAX = 20_000;
export const GATE_BYTES_MAX = 100_000_000;

/** Node cannot start a thread from a source, so that tests too run the built one. */
const WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/datasets/gate-worker.js" : "./gate-worker.js",
  import.meta.url,
);

/** What the publish gate says of a set, made on a thread of its own: the scan of a reward takes seconds. */
export function gateReport(task: GateTask): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    // Flags of the process, such as those of a test that reads sources, are not for the built thread.
    const worker = new Worker(WORKER, { workerData: task, execArgv: [] });
    worker.once("message", (report: Record<string, unknown>) => {
      resolve(report);
      void worker.terminate();
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The thread of the gate ended with ${code} before it answered.`)));
  });
}
