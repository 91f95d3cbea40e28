import type { Db } from "../db/open-database.ts";
import type { AccountTable } from "../db/tables.ts";
import { newId } from "../secrets/new-secret.ts";
import { isoTime, type Services } from "../services.ts";

const DAY_MS = 24 * 3600 * 1000;

/** The account of an address; addresses are kept in lower case. */
export function accountOf(db: Db, email: string): Promise<AccountTable | undefined> {
  return db.selectFrom("accounts").selectAll().where("email", "=", email.toLowerCase()).executeTakeFirst();
}

/** Makes an account: a trial ends by itself unless its person signs in once. */
export async function makeAccount(
  { settings, now }: Pick<Services, "settings" | "now">,
  db: Db,
  { email, tier }: { email: string | null; tier: AccountTable["tier"] },
): Promise<AccountTable> {
  const at = now();
  const account: AccountTable = {
    id: newId("usr"),
    email: email === null ? null : email.toLowerCase(),
    tier,
    trial_expires_at: tier === "trial" ? isoTime(at + settings.trialDays * DAY_MS) : null,
    created_at: isoTime(at),
  };
  await db.insertInto("accounts").values(account).execute();
  return account;
}

/** A trial becomes a full account; its keys stay. */
export async function liftTrial(db: Db, accountId: string): Promise<void> {
  await db.updateTable("accounts").set({ tier: "full", trial_expires_at: null }).where("id", "=", accountId).execute();
}

/** Tokens that an account used on a day (UTC). */
export async function tokensOf(db: Db, accountId: string, day: string): Promise<{ input: number; output: number }> {
  const row = await db
    .selectFrom("usage_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .executeTakeFirst();
  return { input: row?.input_tokens ?? 0, output: row?.output_tokens ?? 0 };
}
