import { isObject } from "@while/schema";
import * as z from "zod";

/** Names that a rule for all of them would get wrong. */
const SNAKE: ReadonlyMap<string, readonly string[]> = new Map([
  ["costPer1k", ["cost_per_1k"]],
  ["p50s", ["p50_s", "p50S"]],
  ["replies7d", ["replies_7d"]],
]);

/**
 * The body with the fields of its schema under their own names where it had them in snake_case: `test_version` is read
 * as `testVersion`. Only names that the schema knows are read so; keys of the sender's own, in pins, tags, summaries,
 * series and figures, stay as they are. A field that is there under its own name wins.
 */
export function respell(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return respell(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType;
    return value.map((item) => respell(element, item));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value;
  const spelled = new Map(Object.entries(value));
  for (const [name, field] of Object.entries(schema.shape)) {
    const other = snakeNames(name).find((snake) => spelled.has(snake));
    if (other !== undefined && !spelled.has(name)) spelled.set(name, spelled.get(other));
    if (other !== undefined) spelled.delete(other);
    if (spelled.has(name)) spelled.set(name, respell(field as z.ZodType, spelled.get(name)));
  }
  return Object.fromEntries(spelled);
}

function snakeNames(name: string): readonly string[] {
  const known = SNAKE.get(name);
  if (known !== undefined) return known;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === name ? [] : [snake];
}
