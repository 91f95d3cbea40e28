import type { Json } from "../row.ts";

/**
 * JSON text that two writers of one value agree on, byte for byte: keys in the order of their UTF-16 units, no spaces,
 * numbers and strings as ECMAScript writes them (RFC 8785).
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${members.join(",")}}`;
}
