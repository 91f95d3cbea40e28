import { Worker } from "node:worker_threads";

/** Node cannot start a thread from a source, so that tests too run the built one. */
export const THREADS: URL = new URL(import.meta.url.endsWith(".ts") ? "../../dist/datasets/" : "./", import.meta.url);

/** A report over all rows of a set, made on a thread of its own: it takes seconds, and others are answered meanwhile. */
export function onThread(worker: "overlap-worker", task: object): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    // Flags of the process, such as those of a test that reads sources, are not for the built thread.
    const thread = new Worker(new URL(`${worker}.js`, THREADS), { workerData: task, execArgv: [] });
    thread.once("message", (report: Record<string, unknown>) => {
      resolve(report);
      void thread.terminate();
    });
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`The thread ${worker} ended with ${code} before it answered.`)));
  });
}
