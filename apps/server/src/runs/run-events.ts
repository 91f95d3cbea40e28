import { setTimeout } from "node:timers/promises";
import type { Db } from "../db/open-database.ts";
import { pointsOf, pointWire } from "../queries/points.ts";
import { scoresOfRuns } from "../queries/scores.ts";

/** How often a run is looked at while somebody watches it. One small read by a primary key. */
const LOOK_MS = 400;
/** A line that says nothing, so that nothing between us takes the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again. */
const RETRY_MS = 3000;
/** Statuses after which nothing more is to come but late points; the stream ends when it has been quiet. */
const ENDED = new Set(["evaluated", "done", "stopped", "failed"]);
const QUIET_AFTER_END_MS = 5000;

interface Watched {
  uid: string;
  /** The last event that the watcher has; 0 for none. */
  after: number;
  signal: AbortSignal;
}

function event(name: string, id: number, data: unknown): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Waits, and no longer than somebody watches. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * What happens to a run, as server-sent events: `point`, `score`, `alarm` and `status`. The id of an event is the
 * revision of the run, which every replica reads from the database: a connection that breaks goes on, here or on
 * another one, where it ended.
 */
export async function* runEvents(db: Db, { uid, after, signal }: Watched): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  let seen = after;
  let status = "";
  let spoke = Date.now();
  while (!signal.aborted) {
    const run = await db
      .selectFrom("runs")
      .select(["revision", "status", "steps", "total_steps"])
      .where("uid", "=", uid)
      .executeTakeFirst();
    if (run === undefined) return;
    if (run.revision > seen || status === "") {
      const [points, scores] = await Promise.all([
        pointsOf(db, uid, { after: seen }),
        scoresOfRuns(db, [uid], { whole: false, after: seen }),
      ]);
      for (const point of points) {
        yield event("point", run.revision, pointWire(point));
        const alarms = Object.keys(point.metrics).filter((name) => name.startsWith("alarm_"));
        for (const name of alarms)
          yield event("alarm", run.revision, { step: point.step, kind: name.slice("alarm_".length) });
      }
      for (const score of scores.get(uid) ?? []) yield event("score", run.revision, score);
      if (run.status !== status || run.revision > seen) {
        yield event("status", run.revision, { status: run.status, steps: run.steps, totalSteps: run.total_steps });
      }
      status = run.status;
      seen = run.revision;
      spoke = Date.now();
    } else if (ENDED.has(run.status) && Date.now() - spoke > QUIET_AFTER_END_MS) {
      return;
    } else if (Date.now() - spoke > HEARTBEAT_MS) {
      yield ": still here\n\n";
      spoke = Date.now();
    }
    await pause(LOOK_MS, signal);
  }
}
