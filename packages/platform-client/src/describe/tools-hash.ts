import { canonicalJson, type Json, sha256Hex } from "@while/schema";
import { peek, textOrNull, toolNames } from "./described.ts";

/** Where frameworks keep the schema of a tool's arguments. */
const SCHEMAS = ["parameters", "inputSchema", "input_schema", "schema"];

/**
 * 12 hex digits of what the model is told of its tools beside their names: a reworded description is another harness,
 * which the fingerprint does not see. Schemas that are objects of a library are left out, as their text is not theirs
 * to show; null where no tool shows anything.
 */
export function toolsHashOf(tools: unknown): string | null {
  const names = toolNames(tools);
  const list = Array.isArray(tools) ? tools : tools instanceof Map ? [...tools.values()] : Object.values(tools ?? {});
  const told = list.map((tool, i) => ({ name: names[i] ?? "tool", ...factsOf(tool) }));
  if (!told.some((one) => Object.keys(one).length > 1)) return null;
  const texts = told.map((one) => canonicalJson(one)).sort();
  return sha256Hex(`[${texts.join(",")}]`).slice(0, 12);
}

function factsOf(tool: unknown): { description?: string; parameters?: Json } {
  const inner = peek(tool, "function");
  const description = textOrNull(peek(tool, "description")) ?? textOrNull(peek(inner, "description"));
  const schemas = [tool, inner].flatMap((of) => SCHEMAS.map((key) => peek(of, key)));
  const parameters = schemas.map((schema) => peek(schema, "jsonSchema") ?? schema).find((schema) => isPlain(schema, 0));
  return {
    ...(description === null ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters: parameters as Json }),
  };
}

/** Deeper than any schema that a person wrote: what goes on is a circle. */
const DEPTH_MAX = 64;

/** An object that JSON says whole. */
function isPlain(value: unknown, depth: number): boolean {
  if (depth > DEPTH_MAX) return false;
  if (value === null || typeof value === "string" || typeof value === "boolean") return depth > 0;
  if (typeof value === "number") return depth > 0 && Number.isFinite(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return depth > 0 && value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.keys(value).every((key) => isPlain(peek(value, key), depth + 1));
}
