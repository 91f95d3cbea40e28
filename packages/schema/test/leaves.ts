import { parseEmbeddedJson } from "../src/json/json-text.ts";

/** Scalars by their JSON text, with how often they occur; JSON inside a string is looked into as well. */
export function leavesOf(value: unknown, leaves: Map<string, number> = new Map()): Map<string, number> {
  if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) leavesOf(item, leaves);
    return leaves;
  }
  if (value === undefined) return leaves;
  const leaf = JSON.stringify(value);
  leaves.set(leaf, (leaves.get(leaf) ?? 0) + 1);
  if (typeof value === "string" && /^[{[]/.test(value)) {
    try {
      leavesOf(parseEmbeddedJson(value), leaves);
    } catch {
      return leaves; // Plain text in brackets.
    }
  }
  return leaves;
}
