import { isObject } from "../is-object.ts";

/** Keys of the teacher's context. No file that a trainer reads holds them, at any depth. */
export const EXPORT_BLOCKED: readonly string[] = Object.freeze([
  "privileged",
  "principle",
  "hidden_state",
  "reference",
  "rubric",
  "vector",
]);

/** Keys and indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

/** What a scrub does beyond its list of keys. */
export interface ScrubRules {
  /** Whether the blocked key at the end of the path stays, with its value. */
  keeps: (path: JsonPath, value: unknown) => boolean;
  /** What becomes of a text. */
  text: (path: JsonPath, text: string) => string;
}

const KEYS_ALONE: ScrubRules = { keeps: () => false, text: (_path, text) => text };

/**
 * The value without any key of `EXPORT_BLOCKED`, at any depth. Nothing is copied that does not change: a clean value
 * comes back as the same reference. It goes by key alone; `scrubRow` knows what a row may keep.
 */
export function scrub<T>(value: T): T {
  return scrubBy(KEYS_ALONE, value, []) as T;
}

/** `scrub` with rules of its own. `path` leads to `value` and is the same array again when the call returns. */
export function scrubBy(rules: ScrubRules, value: unknown, path: (string | number)[]): unknown {
  if (typeof value === "string") return rules.text(path, value);
  if (Array.isArray(value)) return scrubItems(rules, value, path);
  return isObject(value) ? scrubKeys(rules, value, path) : value;
}

function scrubItems(rules: ScrubRules, items: readonly unknown[], path: (string | number)[]): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    path.push(i);
    const item = scrubBy(rules, items[i], path);
    path.pop();
    if (item !== items[i]) copy ??= items.slice(0, i);
    copy?.push(item);
  }
  return copy ?? items;
}

function scrubKeys(rules: ScrubRules, object: Record<string, unknown>, path: (string | number)[]): unknown {
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(object)) {
    const value = object[key];
    path.push(key);
    const stays = !EXPORT_BLOCKED.includes(key) || rules.keeps(path, value);
    const item = stays ? scrubBy(rules, value, path) : undefined;
    path.pop();
    if (!stays || item !== value) changed = true;
    if (stays) entries.push([key, item]);
  }
  return changed ? Object.fromEntries(entries) : object;
}
