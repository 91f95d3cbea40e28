import { sha256Hex } from "./hash/sha256.ts";
import type { Row } from "./row.ts";
import { SchemaError } from "./schema-error.ts";
import { taskKey } from "./task-key.ts";

/** Rows to train on and rows held out. No task is on both sides. */
export interface HoldoutSplit {
  train: Row[];
  holdout: Row[];
}

/**
 * Splits rows by task, so that no task is trained on and measured with. A task's side depends on its key and the
 * fraction alone: not on the other rows, their order or a seed, so two runs a month apart hold out the same tasks,
 * and a larger fraction holds out more of them and never others.
 *
 * @param fraction Share of tasks to hold out, strictly between 0 and 1; 0 or null holds out none. It is met on
 *   average over many tasks, not exactly
 * @throws SchemaError `bad_option` for another fraction, or when every row would be held out
 */
export function splitHoldout(rows: readonly Row[], fraction: number | null): HoldoutSplit {
  if (fraction === null || fraction === 0) return { train: [...rows], holdout: [] };
  if (!(fraction > 0 && fraction < 1)) {
    throw new SchemaError(
      "bad_option",
      `splitHoldout got ${fraction}, and the fraction must lie strictly between 0 and 1.`,
      "Give a share such as 0.2, or 0 to hold out nothing.",
    );
  }
  const held = new Map<string, boolean>();
  const train: Row[] = [];
  const holdout: Row[] = [];
  for (const row of rows) {
    const key = taskKey(row);
    let isHeld = held.get(key);
    if (isHeld === undefined) {
      isHeld = holdoutBucket(key) < fraction;
      held.set(key, isHeld);
    }
    (isHeld ? holdout : train).push(row);
  }
  if (train.length === 0) {
    throw new SchemaError(
      "bad_option",
      `With ${fraction} held out there are no training rows left of ${rows.length} rows in ${held.size} tasks.`,
      "Hold out a smaller fraction, or bring more tasks.",
    );
  }
  return { train, holdout };
}

/**
 * Where a task lies on the line from 0 to 1 (both included) that `splitHoldout` cuts: the first 32 bits of the
 * SHA-256 of its key.
 */
export function holdoutBucket(key: string): number {
  return Number.parseInt(sha256Hex(key).slice(0, 8), 16) / (2 ** 32 - 1);
}
