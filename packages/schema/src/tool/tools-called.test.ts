import { expect, test } from "vitest";
import type { Row } from "../row.ts";
import { toolNames, toolsCalled } from "./tools-called.ts";

test.each<[why: string, row: Row, called: string[]]>([
  [
    "each once, in order",
    {
      steps: [
        { tool: "b", result: 1 },
        { tool: "a", result: "" },
        { tool: "b", result: 2 },
      ],
    },
    ["b", "a"],
  ],
  ["a fault is an answer", { steps: [{ tool: "a", result: { status: "timeout" } }] }, ["a"]],
  ["no answer is no call", { steps: [{ tool: "a" }, { tool: "b", result: null }] }, []],
  ["a name in prose is no call", { steps: [{ text: "I called refund." }], final_text: "refund" }, []],
  ["steps that are no objects", { steps: [null as never, "x" as never] }, []],
  ["a trace", { tool_trace: [{ tool: "a", result: 0 }] }, ["a"]],
  [
    "messages",
    {
      messages: [
        {
          role: "assistant",
          tool_calls: [
            { id: "1", function: { name: "a", arguments: "{}" } },
            { id: "2", function: { name: "b", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "2", content: "done" },
      ],
    },
    ["b"],
  ],
  ["an empty row", {}, []],
])("toolsCalled: %s", (_, row, called) => expect(toolsCalled(row)).toEqual(called));

test("toolNames reads names and both spellings of a schema", () => {
  const nested = { type: "function", function: { name: "a" } };
  expect(toolNames([nested, { name: "b", parameters: {} }, "c", "a", {}, null, 7])).toEqual(["a", "b", "c"]);
});
