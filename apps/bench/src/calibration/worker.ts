import { parentPort } from "node:worker_threads";
import type { Job } from "./run-cells.ts";
import { runJob } from "./run-job.ts";

parentPort!.on("message", (job: Job) => parentPort!.postMessage(runJob(job)));
