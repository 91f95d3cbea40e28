import type { TrainPoint } from "@while/platform-client/contract";
import { type ReadPoint, readPoint } from "@while/platform-client/rules";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import { touchRun } from "./touch-run.ts";

/** A point of a curve as it is stored. */
export interface CurvePoint {
  step: number;
  /** Seconds since 1970; 0 where a step has one point only. */
  ts: number;
  metrics: Record<string, number>;
}

export interface StoredPoints {
  stored: number;
  replaced: number;
  dropped: number;
}

/** Which points of a run are the same: those of one step, or those of one step and instant. */
export type PointKey = "step" | "step and time";

/** Rows of one insert: SQLite takes 32,766 values in a statement. */
const CHUNK = 4000;

function merged(into: Record<string, number>, { values }: ReadPoint): Record<string, number> {
  const metrics = new Map(Object.entries(into));
  for (const [name, value] of values) if (value !== null) metrics.set(name, value);
  return Object.fromEntries(metrics);
}

/**
 * Adds points to a run's curve. A point that is there already takes the new values name by name, the last one wins, so
 * that a batch sent twice changes nothing.
 */
export async function storePoints(
  db: Db,
  uid: string,
  points: readonly TrainPoint[],
  key: PointKey,
  nowMs: number,
): Promise<StoredPoints> {
  return inTransaction(db, async (transaction) => {
    const revision = await touchRun(transaction, uid, nowMs);
    const read = points.map(readPoint);
    const steps = read.map(({ step }) => step);
    const known = new Map<string, Record<string, number>>();
    if (steps.length > 0) {
      const rows = await transaction
        .selectFrom("run_points")
        .select(["step", "ts", "metrics"])
        .where("run_uid", "=", uid)
        .where("step", ">=", Math.min(...steps))
        .where("step", "<=", Math.max(...steps))
        .execute();
      for (const { step, ts, metrics } of rows)
        known.set(`${step} ${ts}`, JSON.parse(metrics) as Record<string, number>);
    }
    const entries = new Map<string, CurvePoint>();
    let replaced = 0;
    let dropped = 0;
    for (const point of read) {
      const ts = key === "step" ? 0 : (point.ts ?? 0);
      const name = `${point.step} ${ts}`;
      const before = entries.get(name)?.metrics ?? known.get(name);
      if (before !== undefined) replaced += 1;
      dropped += point.dropped;
      entries.set(name, { step: point.step, ts, metrics: merged(before ?? {}, point) });
    }
    const rows = [...entries.values()].map(({ step, ts, metrics }) => ({
      run_uid: uid,
      step,
      ts,
      metrics: JSON.stringify(metrics),
      revision,
    }));
    for (let from = 0; from < rows.length; from += CHUNK) {
      await transaction
        .insertInto("run_points")
        .values(rows.slice(from, from + CHUNK))
        .onConflict((conflict) =>
          conflict
            .columns(["run_uid", "step", "ts"])
            .doUpdateSet((e) => ({ metrics: e.ref("excluded.metrics"), revision: e.ref("excluded.revision") })),
        )
        .execute();
    }
    // A tracked run says at its end how many steps it had; of a trainer's run a list shows how far it has got.
    if (key === "step and time" && steps.length > 0) await noteSteps(transaction, uid, Math.max(...steps));
    return { stored: points.length - replaced, replaced, dropped };
  });
}

async function noteSteps(db: Db, uid: string, highest: number): Promise<void> {
  await db
    .updateTable("runs")
    .set({ steps: highest })
    .where("uid", "=", uid)
    .where((e) => e.or([e("steps", "is", null), e("steps", "<", highest)]))
    .execute();
}

export interface CurveRange {
  from?: number | null;
  to?: number | null;
  /** Only what was written after this revision. */
  after?: number;
}

/** The curve of a run in the order of its steps. */
export async function pointsOf(db: Db, uid: string, { from, to, after }: CurveRange = {}): Promise<CurvePoint[]> {
  let query = db.selectFrom("run_points").select(["step", "ts", "metrics"]).where("run_uid", "=", uid);
  if (from != null) query = query.where("step", ">=", from);
  if (to != null) query = query.where("step", "<=", to);
  if (after !== undefined) query = query.where("revision", ">", after);
  const rows = await query.orderBy("step").orderBy("ts").execute();
  return rows.map(({ step, ts, metrics }) => ({ step, ts, metrics: JSON.parse(metrics) as Record<string, number> }));
}

/** A point as the wire shows it: its time where it has one. */
export function pointWire({ step, ts, metrics }: CurvePoint): TrainPoint {
  return ts === 0 ? { step, ...metrics } : { step, ts, ...metrics };
}
