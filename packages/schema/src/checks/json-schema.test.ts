import { expect, test } from "vitest";
import { rowJsonSchema } from "./json-schema.ts";

type Schema = Record<string, unknown> & { properties: Record<string, unknown>; required?: string[] };

const schema = rowJsonSchema();
const defs = schema.$defs as Record<string, Schema>;

test("names its dialect, itself and its parts", () => {
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "https://withwhile.com/schemas/row-v1.json",
    $ref: "#/$defs/row",
  });
  expect(Object.keys(defs)).toEqual(["row", "step", "message", "training_row", "preference_row"]);
});

test("a row has four keys; a step has one of three", () => {
  expect(defs.row?.required).toEqual(["schema_version", "prompt", "steps", "final_text"]);
  expect(defs.step?.anyOf).toEqual([{ required: ["user"] }, { required: ["tool"] }, { required: ["text"] }]);
});

test("rows refer to the parts, and the reward is a share or null", () => {
  expect(JSON.stringify(defs.row?.properties.steps)).toContain('"#/$defs/step"');
  expect(defs.row?.properties.reward).toEqual({
    anyOf: [{ type: "number", minimum: 0, maximum: 1 }, { type: "null" }],
  });
});

test("unknown keys are allowed everywhere", () => {
  expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
});

test("is plain JSON: a Map or an undefined would be lost in the file", () => {
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
