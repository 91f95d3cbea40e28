import { expect, test } from "vitest";
import { JsonNumber } from "../json/json-number.ts";
import { schemaMismatch, ToolSchemas } from "./schema-mismatch.ts";

const tools = [
  {
    type: "function",
    function: {
      name: "book",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", enum: ["Rome", "Oslo"] },
          seats: { type: "integer" },
          price: { type: ["number", "null"] },
          guests: {
            type: "array",
            items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          },
        },
        required: ["city"],
        additionalProperties: false,
      },
    },
  },
  { name: "flat", parameters: { type: "object", required: ["a"] } },
  { type: "function", function: { name: "bare" } },
];
const schemas = new ToolSchemas().parametersByTool(tools);

test.each([
  ["book", { city: "Rome", seats: 2 }, null],
  ["book", { city: "Rome", seats: new JsonNumber("2.0"), price: null }, null],
  ["book", {}, "city is required and missing"],
  ["book", { city: "Bern" }, "city is none of its enum"],
  ["book", { city: "Rome", seats: 2.5 }, "seats is not of type integer"],
  ["book", { city: "Rome", seats: "2" }, "seats is not of type integer"],
  ["book", { city: "Rome", price: true }, "price is not of type number or null"],
  ["book", { city: "Rome", pets: 1 }, "pets is not a parameter"],
  ["book", { city: "Rome", guests: [{ name: "A" }, {}] }, "guests[1].name is required and missing"],
  ["cancel", {}, "the tool is not in tools"],
  ["flat", {}, "a is required and missing"],
  ["bare", { anything: 1 }, null],
  ["book", { city: "Rome", constructor: 1 }, "constructor is not a parameter"],
])("%s(%j): %s", (name, args, problem) => {
  expect(schemaMismatch(name, args as Record<string, unknown>, schemas)).toBe(problem);
});
