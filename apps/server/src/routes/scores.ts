import {
  deleteRows as deleteRowsRoute,
  getFlips,
  getRows,
  getRowsSummary,
  getRowTasks,
  postEvals,
  postLog,
  postRows,
  postTrain,
  ROWS_MAX,
} from "@while/platform-client/contract";
import { inTransaction } from "../db/in-transaction.ts";
import type { RunTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { mergeBehavior } from "../queries/behaviors.ts";
import { storePoints } from "../queries/points.ts";
import { findFlips } from "../queries/row-flips.ts";
import { findRowTasks } from "../queries/row-tasks.ts";
import { deleteRows, findRows, storeRows, summarizeRows } from "../queries/score-rows.ts";
import { storeScores } from "../queries/scores.ts";
import { visibleRun } from "./runs.ts";

/** What a run reports while it goes on: points, scores, and the graded rows behind a score. */
export function scoreRoutes(mounting: Mounting): void {
  const keyOf = (run: RunTable) => (run.slug === null ? ("step and time" as const) : ("step" as const));

  mount(mounting, postTrain, async ({ services, caller, params, body }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    const stored = await storePoints(services.db, run.uid, body, keyOf(run), services.now());
    return { points: body.length, ...stored };
  });

  mount(mounting, postLog, async ({ services, caller, params, body }) => {
    const { db, now } = services;
    const run = await visibleRun(db, caller, params.id as string);
    const stored = await storePoints(db, run.uid, body.points, keyOf(run), now());
    if (body.total_steps != null)
      await db.updateTable("runs").set({ total_steps: body.total_steps }).where("uid", "=", run.uid).execute();
    return { runId: run.id, logged: body.points.length, ...stored, rejected: stored.dropped };
  });

  mount(mounting, postEvals, async ({ services, caller, params, body }) => {
    const { db, now } = services;
    const run = await visibleRun(db, caller, params.id as string);
    return inTransaction(db, async (transaction) => {
      if (run.slug !== null) {
        // A behavior that nobody declared is declared bare: its score must not wait for a form to be filled in.
        for (const name of new Set(body.map(({ behavior }) => behavior))) {
          await mergeBehavior(services, transaction, { accountId: caller.accountId, slug: run.slug, name, fields: {} });
        }
      }
      return { evals: await storeScores(transaction, run, body, now()) };
    });
  });

  mount(mounting, postRows, async ({ services, caller, params, body }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    if (body.offset + body.rows.length > ROWS_MAX) {
      throw new HttpError(
        "too_large",
        `Rows end at ${body.offset + body.rows.length} and may end at ${ROWS_MAX}. Post a sample of them.`,
        { field: "rows" },
      );
    }
    const total = await storeRows(
      services.db,
      { uid: run.uid, behavior: params.behavior as string },
      body,
      services.now(),
    );
    return { rows: body.rows.length, total };
  });

  mount(mounting, deleteRowsRoute, async ({ services, caller, params }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    return {
      ok: true,
      deleted: await deleteRows(services.db, { uid: run.uid, behavior: params.behavior as string }, services.now()),
    };
  });

  mount(mounting, getRows, async ({ services, caller, params, query }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    return findRows(services.db, { uid: run.uid, behavior: params.behavior as string }, query);
  });

  mount(mounting, getRowsSummary, async ({ services, caller, params, query }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    return summarizeRows(services.db, { uid: run.uid, behavior: params.behavior as string }, query);
  });

  mount(mounting, getRowTasks, async ({ services, caller, params, query }) => {
    const run = await visibleRun(services.db, caller, params.id as string);
    return findRowTasks(services.db, { uid: run.uid, behavior: params.behavior as string }, query);
  });

  mount(mounting, getFlips, async ({ services, caller, params, query }) => {
    const behavior = params.behavior as string;
    const after = await visibleRun(services.db, caller, params.id as string);
    const before = await visibleRun(services.db, caller, query.against);
    return findFlips(services.db, { uid: before.uid, behavior }, { uid: after.uid, behavior }, query);
  });
}
