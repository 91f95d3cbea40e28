import { isObject } from "@while/schema";

/** One step along a path: a key of an object or an index of a list. `__proto__` and `length` are no data. */
export function ownValue(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
