import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { type ExportOptions, exportLines, trainingRows } from "../src/index.ts";

/** Inputs that broke other exporters, from public bug reports, in our own data. */

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));
const codes = ({ report }: ReturnType<typeof exportLines>) => report.warnings.map(({ code }) => code);

describe("half a surrogate pair", () => {
  const broken: Row = { task_id: "t1", prompt: "solve", final_text: "x = \ud835", reward: 1 };
  const others: Row[] = Array.from({ length: 99 }, (_, i) => ({ task_id: `o${i}`, prompt: "p", final_text: `é${i}` }));

  test("in a reply is escaped, counted and named, and no other line changes", () => {
    const all = exportLines([broken, ...others], { format: "trl" });
    expect(all.lines).toHaveLength(100);
    expect(all.lines[0]).toContain("x = \\ud835");
    expect(parsed(all.lines)[0].messages[1].content).toBe("x = \ud835");
    expect(all.lines.slice(1)).toEqual(exportLines(others, { format: "trl" }).lines);
    expect(all.report).toMatchObject({ loneSurrogates: 1, loneSurrogateRows: ["89807853107999a1"] });
    for (const line of all.lines) expect(new TextDecoder().decode(new TextEncoder().encode(line))).toBe(line);
  });

  test.each([["openai"], ["trl"]])("in a tool argument of %s rows is still the same argument", (format) => {
    const steps = [{ tool: "say", arguments: { text: "\udc00" }, result: "ok" }];
    const { lines, report } = exportLines([{ prompt: "p", steps, final_text: "a", rollout_id: "r" }], { format });
    const given = parsed(lines)[0].messages[1].tool_calls[0].function.arguments;
    expect(typeof given === "string" ? JSON.parse(given) : given).toEqual({ text: "\udc00" });
    expect(report).toMatchObject({ loneSurrogates: 1, loneSurrogateRows: ["r"] });
  });

  test("in the prompt of a group leaves its rows in one group, and the ids are hashes of U+FFFD", () => {
    const rows = trainingRows([
      { prompt: "\ud835", final_text: "a", reward: 1 },
      { prompt: "\ud835", final_text: "b", reward: 0 },
    ]);
    expect(rows.map(({ group_id, k }) => [group_id, k])).toEqual([
      ["9bdb77276c18", 2],
      ["9bdb77276c18", 2],
    ]);
  });
});

describe("spellings of tool arguments", () => {
  const spelled = (...spellings: unknown[]): Row => ({
    prompt: "q",
    messages: [
      { role: "user", content: "q" },
      ...spellings.flatMap((given, i) => [
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: `c${i}`, type: "function", function: { name: "get_order", arguments: given } }],
        },
        { role: "tool", tool_call_id: `c${i}`, content: "ok" },
      ]),
      { role: "assistant", content: "done" },
    ],
  });
  const argumentsOf = (row: Row, options: ExportOptions) =>
    parsed(exportLines([row], options).lines)[0].messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map((call: { function: { arguments: unknown } }) => call.function.arguments),
    );
  const four = ['{"order_id":"A1"}', { order_id: "A1" }, null, ""];

  test("are one reading: text in API rows, objects in TRL rows, never a string inside a string", () => {
    expect(argumentsOf(spelled(...four), {})).toEqual(['{"order_id": "A1"}', '{"order_id": "A1"}', "{}", "{}"]);
    expect(argumentsOf(spelled(...four), { format: "trl" })).toEqual([{ order_id: "A1" }, { order_id: "A1" }, {}, {}]);
  });

  test.each([["openai"], ["trl"]])(
    "text that is no JSON is refused in %s rows, and kept as it is on request",
    (format) => {
      const row = spelled(...four, "{order_id: A1}");
      expect(() => exportLines([row], { format })).toThrow(
        /^tool_call_roundtrip_invalid: 1 of 5 tool calls do not read back as an object, first get_order\(\{order_id: A1\}\): row 0\./,
      );
      expect(argumentsOf(row, { format, validate: false })[4]).toBe("{order_id: A1}");
      const { report } = exportLines([row], { format, validate: false });
      expect(report.toolCallRoundtrip).toMatchObject({
        checked: 5,
        invalid: 1,
        rows: [0],
        invalidCalls: [{ row: 0, tool: "get_order", arguments: "{order_id: A1}" }],
      });
      expect(report.toolCallRoundtrip.templates).toMatch(/Qwen2\.5/);
    },
  );

  test("include calls that are JSON text themselves, and a list of them as one text", () => {
    const call = { id: "c", function: { name: "get_order", arguments: '{"n": 1.0}' } };
    const row = (tool_calls: unknown): Row => ({ messages: [{ role: "assistant", content: "", tool_calls }] });
    for (const tool_calls of [[JSON.stringify(call)], JSON.stringify([call])]) {
      expect(argumentsOf(row(tool_calls), {})).toEqual(['{"n": 1.0}']);
    }
  });

  test("include other values: a list, a number and false are refused and not turned into no arguments", () => {
    for (const given of [[1], 0, false, "[1]", "5"]) {
      expect(() => exportLines([spelled(given)])).toThrow(/^tool_call_roundtrip_invalid/);
    }
  });
});

describe("one argument name, two types", () => {
  const calling = (tool: string, args: object): Row => ({
    prompt: tool,
    steps: [{ tool, arguments: { ...args }, result: "ok" }],
    final_text: "done",
  });
  const rows = [calling("book", { time: "2025-08-01", seats: 2 }), calling("remind", { time: 1690876800 })];

  test("is written, with a warning that names both rows and both ways out", () => {
    const { lines, report } = exportLines(rows, { format: "trl", maskMode: "final" });
    expect(parsed(lines)[1].prompt[1].tool_calls[0].function.arguments).toEqual({ time: 1690876800 });
    const warning = report.warnings.find(({ code }) => code === "argument_types")!;
    expect(warning.text).toBe(
      'tool_calls[].function.arguments.time is a string in row 0 (book) and a number in row 1 (remind): a column reader fails on it, or adds seats: null to the call of remind in row 1. Write JSON text with argumentsAs: "string", or keep argumentsAs: "object" and load the file with a reader that has a JSON type (datasets 4.7 and newer).',
    );
    expect(report.requires).toEqual([
      {
        setting: "datasets",
        value: ">= 4.7",
        why: "a column reader without a JSON type adds seats: null to the call of remind in row 1, and the template prints it",
      },
    ]);
  });

  test("is no matter once arguments are text", () => {
    const exported = exportLines(rows, { format: "trl", maskMode: "final", argumentsAs: "string" });
    expect(parsed(exported.lines)[1].prompt[1].tool_calls[0].function.arguments).toBe('{"time": 1690876800}');
    expect(exported.report.toolCallRoundtrip).toMatchObject({ encoding: "json_string", checked: 2, invalid: 0 });
    expect(codes(exported)).toEqual(["tools_missing"]);
    expect(exported.report.requires).toEqual([]);
  });

  test("in a schema is found too, and toolsAs is the way out", () => {
    const tools = (value: unknown) => [{ type: "function", function: { name: "f", parameters: { default: value } } }];
    const differing: Row[] = [
      { prompt: "a", final_text: "a", tools: tools("x") },
      { prompt: "b", final_text: "b", tools: tools(3) },
    ];
    const asList = exportLines(differing, { format: "trl", maskMode: "final" });
    expect(asList.report.warnings.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^tools\[\]\.function\.parameters\.default is a string in row 0 \(f\) .* toolsAs: "string"/,
      ),
    ]);
    const asText = exportLines(differing, { format: "trl", maskMode: "final", toolsAs: "string" });
    expect(parsed(asText.lines)[0].tools).toBe(
      '[{"type": "function", "function": {"name": "f", "parameters": {"default": "x"}}}]',
    );
    expect(codes(asText)).toEqual([]);
  });

  test("inside one call of a list is found in a single row", () => {
    const { report } = exportLines([calling("f", { ids: ["a", 1] })], { format: "trl", maskMode: "final" });
    expect(report.arrow.argumentTypes.map(({ path }) => path)).toEqual(["tool_calls[].function.arguments.ids[]"]);
  });

  test("does not matter to rows that hold text, and null is no type", () => {
    expect(exportLines(rows).report.arrow.argumentTypes).toEqual([]);
    const withNull = [calling("f", { a: null }), calling("f", { a: 1 })];
    expect(exportLines(withNull, { format: "trl" }).report.arrow.argumentTypes).toEqual([]);
  });
});
