import { slug } from "@while/platform-client/rules";
import type { Db } from "../db/open-database.ts";
import { isoTime, type Services } from "../services.ts";

/**
 * The agent of a name, made where it is not known: a set, a trace or a run that names it is enough.
 *
 * @returns Its slug: the form in which sets and traces keep it
 */
export async function ensureAgent({ now }: Services, db: Db, accountId: string, name: string): Promise<string> {
  const id = slug(name);
  const at = isoTime(now());
  await db
    .insertInto("agents")
    .values({
      account_id: accountId,
      slug: id.toLowerCase(),
      id,
      name: name.trim() || id,
      model: null,
      harness: null,
      serving: null,
      frontier: null,
      description: null,
      tools: null,
      system_prompt: null,
      created_at: at,
      last_activity_at: at,
      facts: 0,
      verdict: null,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "slug"]).doUpdateSet({ last_activity_at: at }))
    .execute();
  return id.toLowerCase();
}
