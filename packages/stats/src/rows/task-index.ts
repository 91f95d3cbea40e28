import { type Row, taskKey } from "@while/schema";
import type { Inference } from "../inference.ts";

/**
 * Numbers tasks in the order of their first row. A row without any key is a task of its own, named as `groupByTask`
 * names it; the compat rules pool such rows under "", as the Python SDK does.
 */
export class TaskIndex {
  /** Rows seen. */
  nRows = 0;
  /** Rows with neither id nor prompt. */
  nWithoutKey = 0;
  /** Rows without a key are one task. */
  readonly pools: boolean;
  private readonly indices = new Map<string, number>();
  /** Key of each task, or the row's position where it has none. */
  private readonly keys: (string | number)[] = [];

  constructor(inference: Inference) {
    this.pools = inference === "compat";
  }

  get size(): number {
    return this.keys.length;
  }

  /** The task's number. */
  add(row: Row): number {
    const position = this.nRows++;
    const key = taskKey(row);
    if (key === "") {
      this.nWithoutKey++;
      if (!this.pools) return this.keys.push(position) - 1;
    }
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    this.indices.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }

  nameOf(task: number): string {
    const key = this.keys[task]!;
    if (typeof key === "string") return key;
    let name = `row:${key}`;
    while (this.indices.has(name)) name = `row:${name}`;
    return name;
  }
}
