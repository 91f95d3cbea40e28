import type { Db } from "../db/open-database.ts";

/** What an account keeps: bytes of its parts, sets, and rows of the sets that are finalized. */
export async function storageOf(db: Db, accountId: string): Promise<{ bytes: number; datasets: number; rows: number }> {
  const kept = await db
    .selectFrom("datasets")
    .select(({ fn }) => [
      fn.sum<number>("bytes").as("bytes"),
      fn.countAll<number>().as("datasets"),
      fn.sum<number>("row_count").as("rows"),
    ])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return { bytes: Number(kept.bytes ?? 0), datasets: Number(kept.datasets), rows: Number(kept.rows ?? 0) };
}
