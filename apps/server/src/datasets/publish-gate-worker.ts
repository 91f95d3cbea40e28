import { parentPort } from "node:worker_threads";
import { parseJsonText, type Row, toWire } from "@while/schema";
import { publishGate } from "@while/select";

/** What the thread is given: the lines of a set, and what is known of it. */
export interface GateTask {
  text: string;
  mode: "explore" | "sft" | "rl" | "adaptive" | null;
  purpose: "train" | "holdout" | "eval" | "raw";
}

/** What it answers: the report, or why there is none. */
export type GateAnswer = { report: Record<string, unknown> } | { error: string };

function reportOf({ text, mode, purpose }: GateTask): Record<string, unknown> {
  const rows = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseJsonText(line) as Row);
  // Nothing is refused here: a set that is already stored is described, not turned away.
  const { report } = publishGate(rows, {
    strict: false,
    purpose: purpose === "holdout" || purpose === "eval" ? "eval" : "train",
    ...(mode === "rl" || mode === "sft" ? { mode } : {}),
  });
  return toWire(report) as Record<string, unknown>;
}

parentPort?.on("message", (task: GateTask) => {
  let answer: GateAnswer;
  try {
    answer = { report: reportOf(task) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
