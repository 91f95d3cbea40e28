import { createHash } from "node:crypto";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import type { AuditTable } from "../db/tables.ts";

export type AuditEntry = Omit<AuditTable, "seq" | "hash">;

/** The act whose detail is what it took away. */
export const OVERWRITE = "overwriteRun";

const START = "0".repeat(64);

/** SHA-256 over the hash before and this entry. */
export function auditHash(previous: string, entry: AuditEntry): string {
  const { at, account_id, key_id, address, action, resource, request_id, detail } = entry;
  const text = JSON.stringify([at, account_id, key_id, address, action, resource, request_id, detail]);
  return createHash("sha256").update(previous).update(text).digest("hex");
}

/** Writes down who did what. Each account has a chain of its own, so that one tenant's writes never wait for another's. */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await inTransaction(db, async (transaction) => {
    // Two that wrote after the same entry would break the chain: on PostgreSQL, where several write at once, they wait.
    if (entry.account_id !== null) {
      await transaction
        .updateTable("accounts")
        .set((e) => ({ tier: e.ref("tier") }))
        .where("id", "=", entry.account_id)
        .execute();
    }
    let last = transaction.selectFrom("audit").select("hash").orderBy("seq", "desc").limit(1);
    last =
      entry.account_id === null
        ? last.where("account_id", "is", null)
        : last.where("account_id", "=", entry.account_id);
    const previous = (await last.executeTakeFirst())?.hash ?? START;
    await transaction
      .insertInto("audit")
      .values({ ...entry, hash: auditHash(previous, entry) })
      .execute();
  });
}

/** The first entry of an account whose hash does not follow from what stands before it; null when all do. */
export async function brokenAuditEntry(db: Db, accountId: string): Promise<number | null> {
  let previous = START;
  for (const { seq, hash, ...entry } of await db
    .selectFrom("audit")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("seq")
    .execute()) {
    if (hash !== auditHash(previous, entry)) return seq;
    previous = hash;
  }
  return null;
}
