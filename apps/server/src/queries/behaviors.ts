import type { Behavior, BehaviorFields } from "@while/platform-client/contract";
import { inTransaction } from "../db/in-transaction.ts";
import type { Db } from "../db/open-database.ts";
import { isoTime, type Services } from "../services.ts";
import { factsChanged } from "./agent-facts-changed.ts";

export interface BehaviorChange {
  accountId: string;
  slug: string;
  name: string;
  fields: BehaviorFields;
}

/** Behaviors of an agent in the order of their first declaration. */
export async function listBehaviors(db: Db, accountId: string, slug: string): Promise<Behavior[]> {
  const rows = await db
    .selectFrom("behaviors")
    .select(["name", "fields"])
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .orderBy("place")
    .execute();
  return rows.map(({ name, fields }) => ({ name, ...(JSON.parse(fields) as BehaviorFields) }));
}

/** Declares a behavior or changes it: an absent field stays, null clears it, `judge` is replaced whole. */
export function mergeBehavior(
  services: Services,
  db: Db,
  { accountId, slug, name, fields }: BehaviorChange,
): Promise<Behavior> {
  const run = async (transaction: Db): Promise<Behavior> => {
    const at = isoTime(services.now());
    // The agent's row is what writers of one agent wait for, so that two merges cannot both start from the old fields.
    await transaction
      .updateTable("agents")
      .set({ last_activity_at: at })
      .where("account_id", "=", accountId)
      .where("slug", "=", slug)
      .execute();
    const mine = transaction.selectFrom("behaviors").where("account_id", "=", accountId).where("slug", "=", slug);
    const before = await mine.select("fields").where("name", "=", name).executeTakeFirst();
    const merged = Object.fromEntries(
      Object.entries({ ...(before === undefined ? {} : JSON.parse(before.fields)), ...fields }).filter(
        ([, value]) => value != null,
      ),
    ) as BehaviorFields;
    const text = JSON.stringify(merged);
    if (before === undefined) {
      const last = await mine.select("place").orderBy("place", "desc").limit(1).executeTakeFirst();
      await transaction
        .insertInto("behaviors")
        .values({
          account_id: accountId,
          slug,
          name,
          place: (last?.place ?? -1) + 1,
          fields: text,
          created_at: at,
          updated_at: at,
        })
        .execute();
    } else {
      await transaction
        .updateTable("behaviors")
        .set({ fields: text, updated_at: at })
        .where("account_id", "=", accountId)
        .where("slug", "=", slug)
        .where("name", "=", name)
        .execute();
    }
    if (before?.fields !== text) await factsChanged(transaction, accountId, slug);
    return { name, ...merged };
  };
  return inTransaction(db, run);
}
