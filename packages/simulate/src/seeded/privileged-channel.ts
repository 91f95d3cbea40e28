import type { RolloutContext } from "../agent/agent.ts";

/** What a teacher knows of a rollout and the agent does not. */
export type Privileged = Readonly<Record<string, unknown>>;

/*
 * How the package's own seeded agent reaches what it is meant to leak. The block is no part of the context, so no other
 * agent can read it by accident or on purpose.
 */
const blocks = new WeakMap<RolloutContext, Privileged>();

export function givePrivileged(context: RolloutContext, block: Privileged): void {
  blocks.set(context, block);
}

export function privilegedOf(context: RolloutContext): Privileged | null {
  return blocks.get(context) ?? null;
}
