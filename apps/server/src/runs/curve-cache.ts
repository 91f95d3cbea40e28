import type { TrainCurve } from "@while/platform-client/contract";
import { type CurveOptions, curveOfColumns } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import type { RunTable } from "../db/tables.ts";
import { GrowingCurve } from "../queries/growing-curve.ts";
import type { CurveRange } from "../queries/points.ts";
import { runWire } from "../queries/runs.ts";

/** Curves as they are shown that are kept: a few agents that are looked at, each at most 2,000 steps of a few series. */
const SHOWN_MAX = 64;
/** Numbers of the whole curves that are kept beside them: 64 MB, a run of 1,600,000 points of four series. */
const NUMBERS_MAX = 8_000_000;

interface Grown {
  curve: GrowingCurve;
  /** The reading under way, or the last one. */
  turn: Promise<void>;
}

/**
 * Curves as they are shown, by run and revision: a run that nobody writes to is read once, however many look, and of one
 * that goes on only what is new. What is being read is kept too, so that ten pages that open at once read it once.
 */
export class CurveCache {
  readonly #shown = new Map<string, Promise<TrainCurve>>();
  readonly #grown = new Map<string, Grown>();

  of(db: Db, run: RunTable, options: CurveOptions & CurveRange = {}): Promise<TrainCurve> {
    const key = JSON.stringify([run.uid, run.revision, options]);
    const known = this.#shown.get(key);
    if (known !== undefined) {
      // The last one used is the last one forgotten.
      this.#shown.delete(key);
      this.#shown.set(key, known);
      return known;
    }
    const made = this.#make(db, run, options);
    this.#shown.set(key, made);
    made.catch(() => this.#shown.delete(key));
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= SHOWN_MAX) break;
      this.#shown.delete(oldest);
    }
    return made;
  }

  async #make(db: Db, run: RunTable, options: CurveOptions & CurveRange): Promise<TrainCurve> {
    const grown = this.#grown.get(run.uid) ?? { curve: new GrowingCurve(), turn: Promise.resolve() };
    this.#grown.delete(run.uid);
    this.#grown.set(run.uid, grown);
    // A reading that failed is told to who waited for it, and not to the next one.
    grown.turn = grown.turn.catch(() => undefined).then(() => grown.curve.read(db, run.uid, run.revision));
    await grown.turn;
    this.#forgetSome(run.uid);
    return curveOfColumns(runWire(run), grown.curve.columns(options), options);
  }

  #forgetSome(current: string): void {
    let numbers = Array.from(this.#grown.values(), ({ curve }) => curve.size).reduce((sum, size) => sum + size, 0);
    for (const [uid, { curve }] of this.#grown) {
      if (numbers <= NUMBERS_MAX) return;
      if (uid === current) continue;
      numbers -= curve.size;
      this.#grown.delete(uid);
    }
    // One that is too large by itself is shown and not kept.
    if (numbers > NUMBERS_MAX) this.#grown.delete(current);
  }
}
