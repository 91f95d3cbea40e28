import * as z from "zod";
import { messageSchema, rowSchema, stepSchema } from "../row.ts";
import { preferenceRowSchema, trainingRowSchema } from "../training-row.ts";

const ID = "https://withwhile.com/schemas/row-v1.json";

/** Keys that a row written by this version always has; readers accept rows without them. */
const REQUIRED = ["schema_version", "prompt", "steps", "final_text"];

/**
 * The JSON Schema (2020-12) of a row as files of this version hold it, with `$defs` for its parts and for training
 * and preference rows: for editors, other languages and anything that checks files without this package.
 */
export function rowJsonSchema(): Record<string, unknown> {
  const row = definition(rowSchema);
  const properties = row.properties as Record<string, unknown>;
  const list = (name: string) => ({ anyOf: [{ type: "array", items: { $ref: `#/$defs/${name}` } }, { type: "null" }] });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: ID,
    $ref: "#/$defs/row",
    $defs: {
      row: {
        ...row,
        properties: { ...properties, steps: list("step"), messages: list("message") },
        required: REQUIRED,
      },
      step: { ...definition(stepSchema), anyOf: ["user", "tool", "text"].map((key) => ({ required: [key] })) },
      message: definition(messageSchema),
      training_row: definition(trainingRowSchema),
      preference_row: definition(preferenceRowSchema),
    },
  };
}

function definition(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}
