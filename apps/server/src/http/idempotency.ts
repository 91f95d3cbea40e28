import { createHash } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { isoTime } from "../services.ts";
import { HttpError } from "./http-error.ts";

const KEPT_MS = 24 * 3600 * 1000;
/** A first request that has not answered for this long died with its server: the next one does the work. */
const STALE_MS = 120_000;

export interface RepeatedRequest {
  accountId: string;
  method: string;
  path: string;
  key: string;
  body: string;
}

interface Reply {
  status: number;
  text: string;
}

/**
 * Does the work of a request once, however often it comes: the key is taken before the work and keeps its answer after.
 * A refusal is not kept, so that what has been mended since is tried again.
 *
 * @returns The answer, and whether it was given before
 * @throws HttpError `idempotency_key_reused`, `in_progress`
 */
export async function once(
  { db, now }: Services,
  { accountId, method, path, key, body }: RepeatedRequest,
  work: () => Promise<Reply>,
): Promise<Reply & { replayed: boolean }> {
  const fingerprint = createHash("sha256").update(body).digest("hex");
  const at = now();
  const entry = { account_id: accountId, method, path, idempotency_key: key };
  const isEntry = (e: ExpressionBuilder<Tables, "idempotency">) => e.and(entry);
  const taken = await db
    .insertInto("idempotency")
    .values({ ...entry, fingerprint, status: null, reply: null, created_at: isoTime(at) })
    .onConflict((conflict) => conflict.columns(["account_id", "method", "path", "idempotency_key"]).doNothing())
    .executeTakeFirst();
  if (Number(taken.numInsertedOrUpdatedRows ?? 0) === 0) {
    const before = await db.selectFrom("idempotency").selectAll().where(isEntry).executeTakeFirst();
    if (before !== undefined && before.fingerprint !== fingerprint) {
      throw new HttpError(
        "idempotency_key_reused",
        "This Idempotency-Key came with another body. Use a new one for a new request.",
      );
    }
    if (before !== undefined && before.status !== null)
      return { status: before.status, text: before.reply ?? "{}", replayed: true };
    if (before !== undefined && at - Date.parse(before.created_at) < STALE_MS) {
      throw new HttpError("in_progress", "The first request with this Idempotency-Key is still running. Ask again.", {
        retryAfterS: 1,
      });
    }
  }
  let reply: Reply;
  try {
    reply = await work();
  } catch (error) {
    await db.deleteFrom("idempotency").where(isEntry).execute();
    throw error;
  }
  await db.updateTable("idempotency").set({ status: reply.status, reply: reply.text }).where(isEntry).execute();
  return { ...reply, replayed: false };
}

/** Forgets answers of more than a day ago. */
export async function forgetAnswers({ db, now }: Services): Promise<void> {
  await db
    .deleteFrom("idempotency")
    .where("created_at", "<", isoTime(now() - KEPT_MS))
    .execute();
}
