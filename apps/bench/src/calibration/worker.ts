import { parentPort } from "node:worker_threads";
import type { Job } from "./run-cells.ts";
import { runJob } from "./run-job.ts";

parentPort!.on("message", async (job: Job) => parentPort!.postMessage(await runJob(job)));
