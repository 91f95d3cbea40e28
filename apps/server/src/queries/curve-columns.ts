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
 * The points of a run as columns, chunk by chunk: a million of them are 8 bytes a value here, and 150 as objects. Points
 * of one step are one, and a value that came later wins.
 */
export async function curveColumns(db: Db, uid: string, { from, to }: CurveRange = {}): Promise<CurveColumns> {
  const steps = new Column();
  const series = new Map<string, Column>();
  let n = 0;
  let [lastStep, lastTs] = [Number.NaN, 0];
  for (;;) {
    let query = db
      .selectFrom("run_points")
      .select(["step", "ts", "metrics"])
      .where("run_uid", "=", uid)
      .orderBy("step")
      .orderBy("ts")
      .limit(CHUNK);
    if (n > 0) query = query.where(sql<boolean>`(step, ts) > (${lastStep}, ${lastTs})`);
    else if (from != null) query = query.where("step", ">=", from);
    if (to != null) query = query.where("step", "<=", to);
    const rows = await query.execute();
    for (const { step, ts, metrics } of rows) {
      if (step !== lastStep) steps.put(n++, step);
      [lastStep, lastTs] = [step, ts];
      for (const [name, value] of Object.entries(JSON.parse(metrics) as Record<string, number>)) {
        const column = series.get(name) ?? new Column();
        series.set(name, column);
        column.put(n - 1, value);
      }
    }
    if (rows.length < CHUNK) break;
    await setImmediate();
  }
  return { steps: steps.first(n), series: new Map(Array.from(series, ([name, column]) => [name, column.first(n)])) };
}
