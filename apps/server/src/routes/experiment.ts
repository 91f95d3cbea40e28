import { type Experiment, getExperiment, putExperiment } from "@while/platform-client/contract";
import { checkAgent } from "../http/caller.ts";
import { notFound } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { slugOfAgent } from "../queries/agents.ts";
import { isoTime } from "../services.ts";

export function experimentRoutes(mounting: Mounting): void {
  mount(mounting, putExperiment, async ({ services, caller, params, body }) => {
    checkAgent(caller, params.id as string);
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    const updatedAt = isoTime(services.now());
    const { updatedAt: _sent, ...own } = body;
    const entry = { fields: JSON.stringify(own), updated_at: updatedAt };
    await services.db
      .insertInto("experiments")
      .values({ account_id: caller.accountId, slug, ...entry })
      .onConflict((conflict) => conflict.columns(["account_id", "slug"]).doUpdateSet(entry))
      .execute();
    return { ...own, updatedAt };
  });

  mount(mounting, getExperiment, async ({ services, caller, params }) => {
    checkAgent(caller, params.id as string);
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    const row = await services.db
      .selectFrom("experiments")
      .selectAll()
      .where("account_id", "=", caller.accountId)
      .where("slug", "=", slug)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`experiment of ${params.id}`, "PUT one with its question.");
    return { ...(JSON.parse(row.fields) as Experiment), updatedAt: row.updated_at };
  });
}
