import { expect, test } from "vitest";
import { toolCallRoundtrip } from "./tool-call-roundtrip.ts";

const call = (args: unknown, name = "f") => ({ id: "1", type: "function", function: { name, arguments: args } });
const row = (...calls: unknown[]) => ({ messages: [{ role: "assistant", content: "", tool_calls: calls }] });
const spellings = [{ a: 1 }, "{bad", [1, 2], 5, null, '{"a": 1}', "[1]"];

test.each([
  ["openai", "json_string", [0, 1, 2, 3, 4, 6]],
  ["trl", "dict", [1, 2, 3, 4, 5, 6]],
  ["unsloth", "dict", [1, 2, 3, 4, 5, 6]],
])("%s wants arguments as %s", (format, encoding, rows) => {
  const report = toolCallRoundtrip(
    spellings.map((args) => row(call(args))),
    { format },
  );
  expect(report).toMatchObject({ checked: 7, invalid: rows.length, rows, encoding });
});

test("calls under prompt, completion, chosen and rejected count too; a prompt of text does not", () => {
  const turn = [{ role: "assistant", content: "", tool_calls: [call({})] }];
  const rows = [{ prompt: turn, completion: turn, chosen: turn, rejected: turn }, { prompt: "text" }, {}];
  expect(toolCallRoundtrip(rows, { format: "trl" })).toMatchObject({ checked: 4, invalid: 0 });
});

test("rows are named once and at most twenty, bad calls shown with their text", () => {
  const report = toolCallRoundtrip(Array.from({ length: 30 }, () => row(call("{order_id: A1}"), call("{"))));
  expect(report.rows).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(report.invalid).toBe(60);
  expect(report.invalidCalls[0]).toEqual({ row: 0, tool: "f", arguments: "{order_id: A1}" });
  expect(report.invalidCalls).toHaveLength(5);
});

test("where tools are there calls are held against them, as a warning", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: { required: ["a"] } } }];
  const rows = [
    { ...row(call('{"a": 1}')), tools },
    { ...row(call("{}"), call("{}", "g")), tools: JSON.stringify(tools) },
  ];
  expect(toolCallRoundtrip(rows)).toMatchObject({
    invalid: 0,
    schemaMismatch: 2,
    schemaMismatches: [
      { row: 1, tool: "f", problem: "a is required and missing" },
      { row: 1, tool: "g", problem: "the tool is not in tools" },
    ],
  });
});

test("an unknown format is refused with the nearest name", () => {
  expect(() => toolCallRoundtrip([], { format: "trll" })).toThrow(
    /^format_unknown: format must be one of openai, trl, unsloth, .*; got "trll"\. Did you mean trl\?/,
  );
});
