import { expect, test } from "vitest";
import { ArgumentTypes } from "./argument-types.ts";

function typesOf(...calls: [tool: string, args: unknown][]): ArgumentTypes {
  const types = new ArgumentTypes();
  for (const [row, [tool, args]] of calls.entries()) types.addCall(tool, args, row);
  return types;
}

test("an argument that is text here and a number there is named with both calls", () => {
  const types = typesOf(["book", { time: "2025-08-01", seats: 2 }], ["remind", { time: 1690876800 }]);
  expect(types.conflicts()).toEqual([
    {
      path: "tool_calls[].function.arguments.time",
      kinds: new Map([
        ["string", { row: 0, tool: "book" }],
        ["number", { row: 1, tool: "remind" }],
      ]),
    },
  ]);
  expect(types.padded()).toEqual({ row: 1, tool: "remind", argument: "seats" });
});

test("conflicts are found inside objects and lists", () => {
  const types = typesOf(["f", { q: { at: [{ x: 1 }] } }], ["f", { q: { at: [{ x: true }] } }]);
  expect(types.conflicts().map(({ path }) => path)).toEqual(["tool_calls[].function.arguments.q.at[].x"]);
});

test("null is no kind, calls with the same names are not padded", () => {
  const types = typesOf(["f", { a: null }], ["f", { a: "x" }], ["g", { a: "y" }]);
  expect([types.conflicts(), types.padded()]).toEqual([[], null]);
});

test.each([
  [{ a: 1 }, {}, { row: 1, tool: "g", argument: "a" }],
  [{}, { a: 1 }, { row: 0, tool: "f", argument: "a" }],
])("of %j and %j the poorer call would be padded", (first, second, padded) => {
  expect(typesOf(["f", first], ["g", second]).padded()).toEqual(padded);
});

test("schemas are held against one another too", () => {
  const types = new ArgumentTypes();
  const schema = (value: unknown) => [{ type: "function", function: { name: "f", parameters: { default: value } } }];
  types.addTools(schema("x"), 0);
  types.addTools(schema(3), 1);
  expect(types.conflicts().map(({ path }) => path)).toEqual(["tools[].function.parameters.default"]);
});
