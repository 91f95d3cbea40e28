import { expect, test } from "vitest";
import { extractJson } from "./extract-json.ts";
import { jsonField } from "./json-field.ts";
import { jsonSchema } from "./json-schema.ts";
import { jsonValid } from "./json-valid.ts";

test.each<[text: string, value: unknown]>([
  ['{"a": 1}', { value: { a: 1 } }],
  ["```json\n[1, 2]\n```", { value: [1, 2] }],
  ['```\n{"a": 1}\n```\nor rather\n```json\n{"a": 2}\n```', { value: { a: 2 } }],
  ["```python\nprint(1)\n```\nThe result is [1].", { value: [1] }],
  ['Here: {"a": "}]"} as asked {b}', { value: { a: "}]" } }],
  ["the set {1, 2} and [3]", { value: [3] }],
  ["null", { value: null }],
  ["nothing", null],
  ["{unclosed", null],
  ["", null],
  ["[".repeat(100_000), null],
])("extractJson(%.40j)", (text, value) => expect(extractJson(text)).toEqual(value));

test.each([
  ['{"a": 1}', undefined, 1],
  ['{"a": 1}', "object", 1],
  ["[1]", "object", 0],
  ["null", "null", 1],
  ["no", undefined, 0],
] as const)("JsonValid: %j as %j is %j", (final_text, topType, reward) => {
  expect(jsonValid(topType === undefined ? {} : { topType })({ final_text }).reward).toBe(reward);
});

const ORDER = '{"order": {"items": [{"id": "A1 "}, {"id": 2}], "note": null}, "__proto__": 1}';

test.each([
  ["order.items.0.id", "a1", 1],
  ["order.items[1].id", 2, 1],
  ["order.items[1].id", "2", 0],
  ["order.items", [{ id: "A1 " }, { id: 2 }], 1],
  ["order.items.length", 2, 0],
  ["order.note", null, 1],
  ["order.note", undefined, 0],
  ["order.items.0", undefined, 1],
  ["constructor", undefined, 0],
  ["order.items.7.id", undefined, 0],
])("JsonField %s equals %j is %j", (path, equals, reward) => {
  expect(jsonField(path, equals === undefined ? {} : { equals })({ final_text: ORDER }).reward).toBe(reward);
});

test("JsonField refuses an empty path", () => expect(() => jsonField("")).toThrow("JsonField got no path."));

const SCHEMA = {
  type: "object",
  required: ["total"],
  properties: { total: { type: "number", multipleOf: 0.01 }, next: { $ref: "#/$defs/day" } },
  $defs: { day: { type: "string", format: "date" } },
  unevaluatedProperties: false,
};

test.each([
  ['{"total": 0.07, "next": "2024-02-29"}', 1, "passed"],
  ['{"total": "7"}', 0, "the JSON breaks type at #/total"],
  ['{"total": 7, "next": "2023-02-29"}', 0, "the JSON breaks format at #/next"],
  ['{"total": 7, "more": 1}', 0, "the JSON breaks #/more: not allowed"],
  ["{}", 0, "the JSON breaks required at #"],
  ["none", 0, "no JSON in the reply"],
])("JsonSchema: %s is %j", (final_text, reward, reason) => {
  expect(jsonSchema(SCHEMA)({ final_text })).toMatchObject({ reward, reason: `JsonSchema: ${reason}` });
});

test("a schema is not written on, may be frozen, and may be a boolean", () => {
  const schema = Object.freeze({ $id: "https://example.org/a", type: "object" });
  expect(jsonSchema(schema)({ final_text: "{}" }).reward).toBe(1);
  expect(Object.getOwnPropertyNames(schema)).toEqual(["$id", "type"]);
  expect(jsonSchema(false)({ final_text: "{}" }).reward).toBe(0);
});

test("an older draft is read as that draft: beside $ref nothing counts in draft 07", () => {
  const schema = { properties: { a: { $ref: "#/definitions/a", minimum: 5 } }, definitions: { a: { type: "number" } } };
  const old = { ...schema, $schema: "http://json-schema.org/draft-07/schema#" };
  expect(jsonSchema(old)({ final_text: '{"a": 1}' }).reward).toBe(1);
  expect(jsonSchema(schema)({ final_text: '{"a": 1}' }).reward).toBe(0);
});

test.each<[schema: Record<string, unknown>, message: string]>([
  [{ $schema: "https://example.org/mine" }, 'The schema is of "https://example.org/mine".'],
  [{ properties: { a: { type: "strng" } } }, 'The schema at #/a has the type "strng".'],
  [{ items: { $dynamicRef: "#node" } }, "The schema at #/items uses $dynamicRef."],
  [{ $ref: "#/$defs/none" }, "The schema refers to #/$defs/none, which is not in it."],
  [{ $ref: "https://example.org/other.json" }, "The schema refers to https://example.org/other.json"],
  [{ pattern: "(" }, "The schema at # has a pattern that is none"],
])("jsonSchema(%j) is refused", (schema, message) => expect(() => jsonSchema(schema)).toThrow(message));

test("keys under properties are names, also where they are called type or pattern", () => {
  const schema = { properties: { type: { const: "strng" }, pattern: { type: "string" }, enum: { type: "array" } } };
  expect(jsonSchema(schema)({ final_text: '{"type": "strng", "pattern": "(", "enum": []}' }).reward).toBe(1);
});
