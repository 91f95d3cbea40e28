import { isObject, type ToolSchema } from "@while/schema";
import { JsonNumber } from "../json/json-number.ts";
import { declaredTool } from "./declared-tool.ts";

/** The schemas of a row by the tool's name, built once for rows that share one list. */
export class ToolSchemas {
  readonly #byList = new WeakMap<object, ReadonlyMap<string, unknown>>();

  parametersByTool(tools: readonly ToolSchema[]): ReadonlyMap<string, unknown> {
    let byName = this.#byList.get(tools);
    if (byName === undefined) {
      byName = new Map(
        tools.flatMap((tool): [string, unknown][] => {
          const { name, parameters } = declaredTool(tool);
          return typeof name === "string" ? [[name, parameters]] : [];
        }),
      );
      this.#byList.set(tools, byName);
    }
    return byName;
  }
}

/**
 * The first way in which a call does not fit the schemas beside it, in words, or null: a tool that is not listed, a
 * required parameter missing, one that is not known where `additionalProperties` is false, a value outside its enum
 * or of another type. Other keywords of JSON Schema are not looked at.
 */
export function schemaMismatch(
  name: string,
  args: Record<string, unknown>,
  schemas: ReadonlyMap<string, unknown>,
): string | null {
  if (!schemas.has(name)) return "the tool is not in tools";
  return mismatch(args, schemas.get(name), "");
}

function mismatch(value: unknown, schema: unknown, path: string): string | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema.enum) && !schema.enum.some((known) => same(known, value))) {
    return `${path || "the value"} is none of its enum`;
  }
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return `${path || "the value"} is not of type ${types.join(" or ")}`;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = mismatch(item, schema.items, `${path}[${index}]`);
      if (found !== null) return found;
    }
  }
  if (!isObject(value) || value instanceof JsonNumber) return null;
  const inside = (key: string): string => (path === "" ? key : `${path}.${key}`);
  for (const key of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(value, key)) return `${inside(key)} is required and missing`;
  }
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) {
      const found = mismatch(item, properties[key], inside(key));
      if (found !== null) return found;
    } else if (schema.additionalProperties === false) return `${inside(key)} is not a parameter`;
  }
  return null;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number" || value instanceof JsonNumber;
    case "integer":
      return (typeof value === "number" || value instanceof JsonNumber) && Number.isInteger(Number(value));
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value) && !(value instanceof JsonNumber);
    case "null":
      return value === null;
    default:
      // A type this check does not know is no mismatch.
      return true;
  }
}

function same(known: unknown, value: unknown): boolean {
  if (known instanceof JsonNumber || value instanceof JsonNumber) {
    return typeof known === typeof value || typeof known === "number" || typeof value === "number"
      ? Number(known) === Number(value)
      : false;
  }
  return known === value || (typeof known === "object" && JSON.stringify(known) === JSON.stringify(value));
}
