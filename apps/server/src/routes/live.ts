import { postLive } from "@while/platform-client/contract";
import { inTransaction } from "../db/in-transaction.ts";
import { checkAgent } from "../http/caller.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { slugOfAgent } from "../queries/agents.ts";
import { isoTime } from "../services.ts";

export function liveRoutes(mounting: Mounting): void {
  mount(mounting, postLive, async ({ services, caller, body }) => {
    const at = isoTime(services.now());
    return inTransaction(services.db, async (transaction) => {
      for (const { agent, day, version, replies, flagged, p50s, costUsd } of body) {
        checkAgent(caller, agent);
        const slug = await slugOfAgent(transaction, caller.accountId, agent);
        const entry = { replies, flagged: flagged ?? 0, p50s: p50s ?? null, cost_usd: costUsd ?? null, updated_at: at };
        await transaction
          .insertInto("live_days")
          .values({ account_id: caller.accountId, slug, day, version, ...entry })
          .onConflict((conflict) => conflict.columns(["account_id", "slug", "day", "version"]).doUpdateSet(entry))
          .execute();
      }
      return { days: body.length };
    });
  });
}
