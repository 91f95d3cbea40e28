import { parentPort, workerData } from "node:worker_threads";
import { parseJsonText, type Row, toWire } from "@while/schema";
import { publishGate } from "@while/select";

/** What the thread is given: the lines of a set, and what is known of it. */
export interface GateTask {
  text: string;
  mode: "explore" | "sft" | "rl" | "adaptive" | null;
}

const { text, mode } = workerData as GateTask;
const rows = text
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => parseJsonText(line) as Row);
// Nothing is refused here: a set that is already stored is described, not turned away.
const { report } = publishGate(rows, { strict: false, ...(mode === "rl" || mode === "sft" ? { mode } : {}) });
parentPort?.postMessage(toWire(report));
