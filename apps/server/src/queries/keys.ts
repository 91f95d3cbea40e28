import { LOGIN_SCOPES, type Scope } from "@while/platform-client/contract";
import type { Db } from "../db/open-database.ts";
import type { KeyTable } from "../db/tables.ts";
import { newId, newKey } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

export interface NewKeyOf {
  accountId: string;
  kind: KeyTable["kind"];
  name: string;
  scopes?: readonly Scope[];
  agents?: readonly string[] | null;
  expiresAt?: string | null;
}

export interface MadeKey {
  /** The whole key: only here, and never again. */
  key: string;
  row: KeyTable;
}

/** Makes a key. What is kept is its hash, and enough of its text to tell it from others. */
export async function makeKey(
  { secrets, now }: Pick<Services, "secrets" | "now">,
  db: Db,
  { accountId, kind, name, scopes = LOGIN_SCOPES, agents = null, expiresAt = null }: NewKeyOf,
): Promise<MadeKey> {
  const key = newKey(kind);
  const row: KeyTable = {
    id: newId("key"),
    account_id: accountId,
    kind,
    name,
    hash: secrets.hash(key),
    prefix: key.slice(0, 7),
    suffix: key.slice(-4),
    scopes: JSON.stringify(scopes),
    agents: agents === null ? null : JSON.stringify(agents.map((agent) => agent.toLowerCase())),
    expires_at: expiresAt,
    revoked_at: null,
    created_at: isoTime(now()),
    last_used_at: null,
  };
  await db.insertInto("keys").values(row).execute();
  return { key, row };
}

/** Keys of one kind that are still good, oldest first: those of programs, or the sessions of browsers. */
export function listKeys(
  { db, now }: Services,
  accountId: string,
  kind: KeyTable["kind"] = "key",
): Promise<KeyTable[]> {
  return db
    .selectFrom("keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("revoked_at", "is", null)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", isoTime(now()))]))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Ends a key at once. False when the account has no such key, or it had ended. */
export async function revokeKey(
  { db, now }: Services,
  accountId: string,
  which: { id: string; kind?: KeyTable["kind"] } | { hash: string; kind: KeyTable["kind"] },
): Promise<boolean> {
  let query = db
    .updateTable("keys")
    .set({ revoked_at: isoTime(now()) })
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null);
  query = "id" in which ? query.where("id", "=", which.id) : query.where("hash", "=", which.hash);
  if (which.kind !== undefined) query = query.where("kind", "=", which.kind);
  return Number((await query.executeTakeFirst()).numUpdatedRows) > 0;
}
