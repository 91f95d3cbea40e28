import { isObject } from "@while/schema";

type Fields = Record<string, unknown>;

/**
 * A record with what came laid over it: block by block and field by field, pins key by key. Null deletes, absent stays.
 * A `finish` that sends empty pins must not lose those sent when the run was opened.
 */
export function mergeRecord(before: unknown, given: unknown, levels = 3): Fields {
  const merged = new Map<string, unknown>(Object.entries(isObject(before) ? before : {}));
  for (const [key, value] of Object.entries(isObject(given) ? given : {})) {
    if (value === undefined) continue;
    if (value === null) merged.delete(key);
    else if (levels > 1 && isObject(value)) merged.set(key, mergeRecord(merged.get(key), value, levels - 1));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** A summary with what came laid over it, key by key; null is kept as null, for a summary says "not measured" so. */
export function mergeSummary(before: unknown, given: Fields): Fields {
  return Object.fromEntries([...Object.entries(isObject(before) ? before : {}), ...Object.entries(given)]);
}
