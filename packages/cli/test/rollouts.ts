import { writeFileSync } from "node:fs";
import type { Row } from "@while/schema";

/** Four rollouts a task, with the given rewards; replies differ, so that none is a duplicate. */
export function rollouts(tasks: Readonly<Record<string, readonly (number | null)[]>>): Row[] {
  return Object.entries(tasks).flatMap(([task, rewards]) =>
    rewards.map((reward, i) => ({
      task_id: task,
      rollout_id: `${task}-${i}`,
      prompt: `Refund order ${task}.`,
      steps: [{ tool: "refund", arguments: { order: task, attempt: i }, result: { status: "ok" } }],
      final_text: `Attempt ${i} on ${task} is done.`,
      reward,
      markers: { polite: i % 2 },
      category: task < "m" ? "early" : "late",
    })),
  );
}

/** Three tasks with contrast, one without. */
export const MIXED: Row[] = rollouts({
  a: [1, 0, 1, 0],
  b: [1, 1, 0, 0],
  n: [1, 0, 0, 1],
  z: [1, 1, 1, 1],
});

export const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Rows as a file; returns its path. */
export function written(path: string, rows: readonly unknown[] = MIXED): string {
  writeFileSync(path, jsonl(rows));
  return path;
}
