import type { Db } from "../db/open-database.ts";

/** Notes that something changed which the verdict of an agent rests on: scores, behaviors, what serves, what runs claim. */
export async function factsChanged(db: Db, accountId: string, slug: string): Promise<void> {
  await db
    .updateTable("agents")
    .set((e) => ({ facts: e("facts", "+", 1) }))
    .where("account_id", "=", accountId)
    .where("slug", "=", slug)
    .execute();
}
