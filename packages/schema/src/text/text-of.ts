import { pyJson } from "./python-json.ts";

/**
 * The text of a field that should hold a string and may not: a string as it is, null and undefined as "", anything
 * else as its JSON text. A number is its digits, a message list under `prompt` is its JSON and not
 * "[object Object]", which would make one task of all such rows.
 */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : pyJson(value, { ascii: false });
}
