import { parentPort, workerData } from "node:worker_threads";
import { parseJsonText, type Row, toWire } from "@while/schema";
import { decontaminateSync } from "@while/trust";

/** What the thread is given: the lines of a set, and those of the one that it is measured on. */
export interface OverlapTask {
  text: string;
  against: string;
}

const rowsOf = (text: string): Row[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseJsonText(line) as Row);

const { text, against } = workerData as OverlapTask;
parentPort?.postMessage(toWire(decontaminateSync(rowsOf(text), rowsOf(against)).report));
