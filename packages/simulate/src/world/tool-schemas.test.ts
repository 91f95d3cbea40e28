import { describe, expect, test } from "vitest";
import * as z from "zod";
import { tool, toolSchemas, wireTool } from "./tool-schemas.ts";

const EMPTY = { type: "object", properties: {} };
const ID = { type: "object", properties: { id: { type: "string" } } };

test("OpenAI's, Anthropic's and bare forms become one, and nothing given is changed", () => {
  const given = [
    { name: "get_order", description: "d", parameters: ID },
    { name: "cancel", input_schema: EMPTY },
    { type: "function", function: { name: "ask" }, kind: "human" },
    { name: "list", inputSchema: ID, annotations: { readOnlyHint: true } },
    { name: "find", parameters: { city: { type: "string" } } },
  ];
  const before = structuredClone(given);
  expect(toolSchemas(given).tools).toEqual([
    { type: "function", function: { name: "get_order", description: "d", parameters: ID } },
    { type: "function", function: { name: "cancel", parameters: EMPTY } },
    { type: "function", function: { name: "ask", parameters: EMPTY }, kind: "human" },
    { type: "function", function: { name: "list", parameters: ID }, annotations: { readOnlyHint: true } },
    {
      type: "function",
      function: { name: "find", parameters: { type: "object", properties: { city: { type: "string" } } } },
    },
  ]);
  expect(given).toEqual(before);
});

test("a typed function brings its schema as a zod object", async () => {
  const add = tool({
    name: "add",
    parameters: z.object({ a: z.number(), b: z.number().default(1) }),
    execute: ({ a, b }: { a: number; b: number }) => a + b,
  });
  expect(add.function.parameters).toEqual({
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number", default: 1 } },
    required: ["a"],
  });
  expect(await add.execute?.({ a: 1, b: 2 }, { onEnd() {} })).toBe(3);
  expect(wireTool(add)).toEqual({ type: "function", function: add.function });
});

describe("what cannot be used", () => {
  test("a nameless tool is left out and a repeated one counts once, with a warning each", () => {
    const { tools, warnings } = toolSchemas([{ parameters: ID }, { name: "a" }, { name: "a", description: "new" }]);
    expect(tools.map((one) => one.function.description)).toEqual(["new"]);
    expect(warnings).toEqual([
      "tools[0] has no name and is left out: give it one.",
      "Two tools are called a: the last counts. Rename one of them.",
    ]);
  });

  test.each<[unknown, string]>([
    [[function lookup() {}], "tools[0] is the function lookup, and has no schema"],
    [["get_order"], "tools[0] is get_order"],
    [[{ name: "a", parameters: "none" }], "tools[0] has the parameters none"],
    ["get_order", "tools is get_order"],
  ])("%j is refused", (list, what) => {
    expect(() => toolSchemas(list as never)).toThrow(what);
  });

  test("a tool without a name is refused", () => {
    expect(() => tool({ name: "" })).toThrow('A tool has the name ""');
  });
});
