import type { TrainCurve } from "@while/platform-client/contract";
import { type CurveOptions, curveOfColumns } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import type { RunTable } from "../db/tables.ts";
import { curveColumns } from "../queries/curve-columns.ts";
import type { CurveRange } from "../queries/points.ts";
import { runWire } from "../queries/runs.ts";

/** Curves that are kept: a few agents that are looked at, each at most 2,000 steps of a few series. */
const KEPT = 64;

/**
 * Curves as they are shown, by run and revision: a run that nobody writes to is read once, however many look. What is
 * being read is kept too, so that ten pages that open at once read it once.
 */
export class CurveCache {
  readonly #kept = new Map<string, Promise<TrainCurve>>();

  of(db: Db, run: RunTable, options: CurveOptions & CurveRange = {}): Promise<TrainCurve> {
    const key = JSON.stringify([run.uid, run.revision, options]);
    const known = this.#kept.get(key);
    if (known !== undefined) {
      // The last one used is the last one forgotten.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const made = curveColumns(db, run.uid, options).then((columns) => curveOfColumns(runWire(run), columns, options));
    this.#kept.set(key, made);
    made.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return made;
  }
}
