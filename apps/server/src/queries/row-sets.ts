import type { RowsReading } from "@while/platform-client/rules";
import { sql } from "kysely";
import type { Db } from "../db/open-database.ts";
import type { RowSetTable } from "../db/tables.ts";
import { fillRowFacts } from "./row-facts.ts";

/** The graded rows behind a score of a run, counted. */
export interface RowSet extends Omit<RowSetTable, "reading"> {
  /** What they say by themselves; null in lists and while some are missing. */
  reading: RowsReading | null;
}

/** The sets of rows of some runs; `whole` with what each set says by itself, which is made once and kept. */
export async function rowSetsOf(db: Db, uids: readonly string[], { whole }: { whole: boolean }): Promise<RowSet[]> {
  const sets = await db
    .selectFrom("score_row_sets")
    .selectAll()
    .where("run_uid", "in", [...uids])
    .execute();
  const read: RowSet[] = [];
  for (const set of sets) {
    const complete = set.total > 0 && set.total >= (set.expected ?? 0);
    read.push({ ...set, reading: whole && complete ? await readingOf(db, set) : null });
  }
  return read;
}

async function readingOf(db: Db, { run_uid: uid, behavior, total, reading }: RowSetTable): Promise<RowsReading> {
  if (reading !== null) return JSON.parse(reading) as RowsReading;
  const { revision } = await db.selectFrom("runs").select("revision").where("uid", "=", uid).executeTakeFirstOrThrow();
  await fillRowFacts(db, { uid, behavior });
  const { rows } = await sql<{ by_row: number; by_task: number; scored: number; points: number | null }>`
    select sum(passed) / sum(n) as by_row, avg(passed / n) as by_task, sum(scored) as scored, sum(points) as points
    from (
      select cast(sum(ok) as double precision) as passed, cast(count(*) as double precision) as n,
        count(score) as scored, sum(score) as points
      from score_rows where run_uid = ${uid} and behavior = ${behavior}
      group by ask
    ) tasks`.execute(db);
  const { by_row, by_task, scored, points } = rows[0]!;
  const made: RowsReading = {
    byRow: 100 * by_row,
    byTask: 100 * by_task,
    byScore: Number(scored) === total && points !== null ? (100 * points) / total : null,
  };
  await db
    .updateTable("score_row_sets")
    .set({ reading: JSON.stringify(made) })
    .where("run_uid", "=", uid)
    .where("behavior", "=", behavior)
    // Of rows that came meanwhile it says nothing.
    .where((e) => e.exists(e.selectFrom("runs").select("uid").where("uid", "=", uid).where("revision", "=", revision)))
    .execute();
  return made;
}
