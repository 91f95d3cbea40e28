import type { Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import type { WriteTally } from "./write-tally.ts";

/** What a writer may be told. */
export interface WriteAsOptions {
  /** The time that a file says of itself, in milliseconds since 1970; for `inspect`. */
  now?: number;
}

/**
 * One format of another tool that rows are written in, so that our own reader finds the same tasks, rewards and
 * conversations in the file. The next one is one file that exports such an object and one line in `writers.ts`.
 */
export interface RowsWriter {
  /** The word for `--to`. */
  readonly name: string;
  /**
   * The pieces of the file, one after the other.
   *
   * @param source Rows without their privileged keys, and the rules that they were made under
   * @param tally Told of everything that the file does not hold
   * @throws SchemaError for rows that the format would tell wrongly
   */
  pieces(source: RowSource, tally: WriteTally, options: WriteAsOptions): Generator<string, void, undefined>;
}

/** Keys of a row, with something under them, that a format does not hold. */
export function keysBesides(row: Row, held: ReadonlySet<string>): string[] {
  return Object.entries(row).flatMap(([key, value]) => {
    const isNothing = value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);
    return held.has(key) || isNothing ? [] : [key];
  });
}

/** Keys that every conversation holds. */
export const CHAT_KEYS: readonly string[] = [
  ...["schema_version", "scenario_id", "task_id", "prompt", "opener", "steps", "messages", "final_text"],
  ...["system_prompt", "system_messages", "reward"],
];

/** Numbers a task's rollouts: by `rollout_index` where that is a number no other has, else by the next free one. */
export class RolloutNumbers {
  readonly #taken = new Map<string, Set<number>>();

  /** @returns The number, and whether it is the row's own */
  next(task: string, { rollout_index: index }: Row): { number: number; isOwn: boolean } {
    const taken = this.#taken.get(task) ?? new Set<number>();
    this.#taken.set(task, taken);
    const isOwn = typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && !taken.has(index);
    let number = isOwn ? index : 0;
    while (taken.has(number)) number++;
    taken.add(number);
    return { number, isOwn: isOwn || index === undefined || index === null };
  }
}
