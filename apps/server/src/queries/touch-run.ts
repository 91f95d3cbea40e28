import type { Db } from "../db/open-database.ts";
import { isoTime } from "../services.ts";

/**
 * Notes that a run changed: its revision is the id of the event, and its row is what writers of one run wait for.
 *
 * @returns The new revision
 */
export async function touchRun(db: Db, uid: string, nowMs: number): Promise<number> {
  const { revision } = await db
    .updateTable("runs")
    .set((e) => ({ revision: e("revision", "+", 1), updated_at: isoTime(nowMs) }))
    .where("uid", "=", uid)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}
