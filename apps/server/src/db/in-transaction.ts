import type { Db } from "./open-database.ts";

/** Does work in one transaction: in the one that is open already, where there is one. */
export function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
