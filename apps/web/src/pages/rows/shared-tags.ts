import type { Example } from "@while/platform-client/contract";

/** Tags that all rollouts of a task have alike: they are of the task, and not of what was answered. */
export function sharedTags(rollouts: readonly Pick<Example, "tags">[]): [key: string, value: string][] {
  const [first, ...others] = rollouts.map(({ tags }) => tags ?? {});
  return Object.entries(first ?? {}).filter(([key, value]) =>
    others.every((tags) => Object.hasOwn(tags, key) && tags[key] === value),
  );
}
