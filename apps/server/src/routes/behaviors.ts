import {
  type Behavior,
  type BehaviorFields,
  behaviorName,
  listBehaviors as listBehaviorsRoute,
  putBehavior,
} from "@while/platform-client/contract";
import { checkAgent } from "../http/caller.ts";
import { HttpError } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { slugOfAgent } from "../queries/agents.ts";
import { listBehaviors, mergeBehavior } from "../queries/behaviors.ts";

export function behaviorRoutes(mounting: Mounting): void {
  mount(mounting, putBehavior, async ({ services, caller, params, body }) => {
    checkAgent(caller, params.id as string);
    const name = params.name as string;
    const checked = behaviorName.safeParse(name);
    if (!checked.success) {
      throw new HttpError(
        "invalid_field",
        `The name of a behavior ${checked.error.issues[0]?.message}. Name it like refund_policy.`,
        { field: "name" },
      );
    }
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    return mergeBehavior(services, services.db, {
      accountId: caller.accountId,
      slug,
      name,
      fields: body as BehaviorFields,
    });
  });

  mount(mounting, listBehaviorsRoute, async ({ services, caller, params }): Promise<{ behaviors: Behavior[] }> => {
    checkAgent(caller, params.id as string);
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    return { behaviors: await listBehaviors(services.db, caller.accountId, slug) };
  });
}
