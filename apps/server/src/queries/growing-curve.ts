import { setImmediate } from "node:timers/promises";
import type { CurveColumns } from "@while/platform-client/rules";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { CurveRange } from "./points.ts";

/** Points of one read. SQLite reads on this thread: others are answered between two of them. */
const CHUNK = 5000;

/** A list of numbers that grows; NaN where nothing was put. */
class Column {
  #values = new Float64Array(1024).fill(Number.NaN);

  put(place: number, value: number): void {
    if (place >= this.#values.length) {
      const larger = new Float64Array(2 * Math.max(place, this.#values.length)).fill(Number.NaN);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[place] = value;
  }

  /** The first `n`. */
  first(n: number): Float64Array {
    if (n > this.#values.length) this.put(n - 1, Number.NaN);
    return this.#values.subarray(0, n);
  }
}

/**
 * The points of a run as columns, 8 bytes a value. They are read chunk by chunk, and once: of a run that goes on, the next
 * reading takes what was added since. Points of one step are one, and a value that came later wins.
 */
export class GrowingCurve {
  #steps = new Column();
  #series = new Map<string, Column>();
  #n = 0;
  #last: { step: number; ts: number } = { step: Number.NaN, ts: 0 };
  #revision = 0;

  /** Numbers that are held. */
  get size(): number {
    return this.#n * (1 + this.#series.size);
  }

  /** Reads what was written up to a revision of the run. One reading at a time. */
  async read(db: Db, uid: string, revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    if (this.#n > 0 && (await this.#wasChanged(db, uid, revision))) this.#forget();
    for (;;) {
      let query = db
        .selectFrom("run_points")
        .select(["step", "ts", "metrics"])
        .where("run_uid", "=", uid)
        .where("revision", "<=", revision)
        .orderBy("step")
        .orderBy("ts")
        .limit(CHUNK);
      if (this.#n > 0) query = query.where(sql<boolean>`(step, ts) > (${this.#last.step}, ${this.#last.ts})`);
      const rows = await query.execute();
      for (const row of rows) this.#add(row);
      if (rows.length < CHUNK) break;
      await setImmediate();
    }
    this.#revision = revision;
  }

  /** The columns in a range of steps: views that hold until the next reading. */
  columns({ from, to }: CurveRange = {}): CurveColumns {
    const steps = this.#steps.first(this.#n);
    const [first, end] = [from == null ? 0 : placeOf(steps, from), to == null ? this.#n : placeOf(steps, to + 1)];
    const part = (column: Column) => column.first(this.#n).subarray(first, Math.max(first, end));
    return { steps: part(this.#steps), series: new Map(Array.from(this.#series, ([name, one]) => [name, part(one)])) };
  }

  /** Whether a point came for a step that was read already: then the whole curve is read anew. */
  async #wasChanged(db: Db, uid: string, revision: number): Promise<boolean> {
    const { step } = await db
      .selectFrom("run_points")
      .select(({ fn }) => fn.min<number | null>("step").as("step"))
      .where("run_uid", "=", uid)
      .where("revision", ">", this.#revision)
      .where("revision", "<=", revision)
      .executeTakeFirstOrThrow();
    return step !== null && step <= this.#last.step;
  }

  #forget(): void {
    this.#steps = new Column();
    this.#series = new Map();
    this.#n = 0;
    this.#last = { step: Number.NaN, ts: 0 };
  }

  #add({ step, ts, metrics }: { step: number; ts: number; metrics: string }): void {
    if (step !== this.#last.step) this.#steps.put(this.#n++, step);
    this.#last = { step, ts };
    for (const [name, value] of Object.entries(JSON.parse(metrics) as Record<string, number>)) {
      const column = this.#series.get(name) ?? new Column();
      this.#series.set(name, column);
      column.put(this.#n - 1, value);
    }
  }
}

/** Place of the first step from a value on. */
function placeOf(steps: Float64Array, value: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
