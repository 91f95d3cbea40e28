import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rowLine } from "../json/row-line.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { toWire } from "../wire.ts";
import { FileRows } from "./file-rows.ts";
import { ReadCollector } from "./read-collector.ts";
import { type ReadTextOptions, readRows } from "./read-rows.ts";

function faultOf(source: string | Uint8Array, options: ReadTextOptions = {}): SchemaError {
  try {
    readRows(source, options);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("accepted");
}

function row(fields: object): string {
  return `${JSON.stringify({ scenario_id: "s", prompt: "p", final_text: "f", ...fields })}\n`;
}

test("a row passes as it is, with keys that nobody knows", () => {
  const line = row({ reward: 0.5, tier: 3, _scratch: { a: [1] }, constructor: "x" });
  const { rows, report } = readRows(line);
  expect(rows).toEqual([JSON.parse(line)]);
  expect(report).toMatchObject({ format: "while", records: 1, rows: 1, warnings: [], nBadLines: 0, meta: null });
});

test("ids are text: numbers at the top of a row, and call ids inside it", () => {
  const line = row({
    ...{ scenario_id: 0, task_id: 7, rollout_id: 12, group_id: 3, id: 5, conversation_id: 6, rollout_index: 1 },
    messages: [{ role: "tool", tool_call_id: 4, content: "x" }],
    steps: [{ tool: "t", id: 4 }],
  });
  expect(readRows(line).rows[0]).toMatchObject({
    ...{ scenario_id: "0", task_id: "7", rollout_id: "12", group_id: "3", id: "5", conversation_id: "6" },
    rollout_index: 1,
    messages: [{ tool_call_id: "4" }],
    steps: [{ id: "4" }],
  });
});

test("rules that stand on rows move to the report, each once", () => {
  const text = row({ system_prompt: "Be brief." }) + row({ system_prompt: "Be brief.", lineage: { source: "eval" } });
  const { rows, report } = readRows(text);
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  for (const one of rows) expect(one).not.toHaveProperty("system_prompt");
  expect(rows[1]?.lineage).toEqual({
    source: "eval",
    system_prompt_sha: [...report.systemPrompts.keys()][0],
    system_prompt_head: "Be brief.",
    system_prompt_chars: 9,
  });
});

test("past a thousand different rules rows keep their own, and that is said", () => {
  const text = Array.from({ length: 1002 }, (_, i) => row({ system_prompt: `rule ${i}` })).join("");
  const { rows, report } = readRows(text);
  expect(report.systemPrompts.size).toBe(1000);
  expect(rows.at(-1)).toMatchObject({ system_prompt: "rule 1001", lineage: { system_prompt_chars: 9 } });
  expect(report.warnings.map(({ code }) => code)).toEqual(["many_system_prompts"]);
});

test("tools are listed by name, and a second schema under one name is said", () => {
  const tool = (name: string, description: string) => ({ type: "function", function: { name, description } });
  const { report } = readRows(
    row({ tools: [tool("a", "x")] }) +
      row({ tools: [tool("a", "x"), tool("b", "y")] }) +
      row({ tools: [tool("a", "z")] }),
  );
  expect(report.tools).toEqual([tool("a", "x"), tool("b", "y")]);
  expect(report.warnings.map(({ code }) => code)).toEqual(["tools_differ"]);
});

test("the report has a form on the wire", () => {
  const { report } = readRows(row({ model_version: "a", system_prompt: "s" }) + row({ x: Number.NaN }));
  expect(toWire(report)).toMatchObject({
    format: "while",
    files: [{ path: null, container: "jsonl", records: 2 }],
    n_bad_lines: 0,
    bad_lines: [],
    models: { a: 1 },
    non_finite: 0,
    dropped_tail: false,
  });
});

test("rows are counted by the model that made them", () => {
  const { report } = readRows(
    row({ model_version: "a" }) + row({ model_version: "b" }) + row({ model_version: "a" }) + row({}),
  );
  expect(report.models).toEqual(
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
});

test.each([
  [{ reward: "NaN" }, 'line 2: reward is the text "NaN" and not a number', "null for a row without a verdict"],
  [{ reward: 3 }, "line 2: reward is 3, outside 0 to 1", "Pass scale"],
  [{ reward: true }, "line 2: reward is true and not a number", "from 0 to 1"],
  [{ steps: "none" }, 'line 2: steps is the text "none" and not a list', "or leave it out"],
])("%j is refused: %s", (fields, what, fix) => {
  const error = faultOf(row({}) + row(fields), { file: "a.jsonl" });
  expect(error).toMatchObject({ code: "bad_value", what: `a.jsonl, ${what}.`, place: { file: "a.jsonl", line: 2 } });
  expect(error.fix).toContain(fix);
});

test("bad rows are skipped when that is asked, counted, and the first is said", () => {
  const { rows, report } = readRows(`${row({}) + row({ reward: 3 })}{broken\n${row({})}`, {
    onBadRow: "skip",
    file: "a.jsonl",
  });
  expect(rows).toHaveLength(2);
  expect(report).toMatchObject({ records: 3, rows: 2, nBadLines: 2, badLines: [{ line: 2 }, { line: 3, column: 2 }] });
  expect(report.warnings[0]?.text).toBe(
    "2 bad rows were left out; the first: a.jsonl, line 2: reward is 3, outside 0 to 1.",
  );
});

test.each([
  [{ scale: [1, 5] as const }, 3, { reward: 0.5, judge_meta: { rating: 3, scale: [1, 5] } }],
  [{ threshold: 3 }, 3, { reward: 1, judge_meta: { rating: 3, threshold: 3 } }],
  [{ scale: [1, 5] as const, threshold: 4 }, 3, { reward: 0, judge_meta: { rating: 3, scale: [1, 5], threshold: 4 } }],
])("with %j a reward of %d becomes %j", (options, reward, expected) => {
  for (const key of ["scenario_id", "question"]) {
    const text = JSON.stringify({ [key]: "s", prompt: "p", final_text: "f", reward });
    expect(readRows(text, options).rows[0]).toMatchObject(expected);
  }
});

test("a reward outside the scale that was given is refused, and so is a scale that is none", () => {
  expect(faultOf(row({ reward: 7 }), { scale: [1, 5] }).what).toContain("reward is 7, outside the scale 1 to 5");
  expect(faultOf(row({}), { scale: [5, 1] }).code).toBe("bad_option");
  expect(faultOf(row({}), { threshold: Number.NaN }).code).toBe("bad_option");
});

test("one rollout_id is one row, unless repeats are kept on purpose", () => {
  const text = row({ rollout_id: "r" }) + row({ rollout_id: "r" });
  const error = faultOf(text, { file: "a.jsonl" });
  expect(error).toMatchObject({ code: "duplicate_rollout", place: { file: "a.jsonl", line: 2 } });
  expect(error.what).toBe('a.jsonl, line 2: rollout_id "r" is already the one of line 1.');
  expect(readRows(text, { duplicates: "keep" }).rows).toHaveLength(2);
  expect(readRows(row({}) + row({})).rows).toHaveLength(2);
});

test.each([
  ["", "bad_file", "is empty"],
  ["[]", "bad_file", "holds an empty list of rows"],
  ['{"rows":[]}', "bad_file", "holds an empty list of rows"],
  [" \n\n", "bad_file", "is empty"],
  ["prompt,final_text\na,b\n", "format_unknown", "is text, not rows"],
  ['{"resourceSpans":[]}', "bad_file", "holds no spans"],
  ['{"a":1}', "format_unknown", "holds no rows"],
])("%j is refused: %s", (text, code, what) => {
  const error = faultOf(text, { file: "x" });
  expect(error.code).toBe(code);
  expect(error.what).toContain(what);
});

test.each([
  [{ format: "whille" }, "format_unknown", "There is no format whille"],
  [{ onBadRow: "ignore" }, "bad_option", 'onBadRow is "ignore"'],
  [{ rewardKey: [] }, "bad_option", "rewardKey is empty"],
])("the option %j is refused", (options, code, what) => {
  const error = faultOf(row({}), options as ReadTextOptions);
  expect(error).toMatchObject({ code });
  expect(error.what).toContain(what);
});

test("a format that is named is read as that, whatever the records look like", () => {
  expect(readRows('{"scenario_id":"s","question":"q","answer":"a"}', { format: "loose" }).rows[0]).toMatchObject({
    prompt: "q",
    final_text: "a",
  });
});

test("what a document says beside its rows is its meta; a second list is not read, and that is said", () => {
  const document = { system_prompt: "s", run: 7, rows: [{ scenario_id: "s", prompt: "p" }], data: [{ a: 1 }] };
  const { rows, report } = readRows(JSON.stringify(document));
  expect(rows).toHaveLength(1);
  expect(report.meta).toEqual({ system_prompt: "s", run: 7 });
  expect([...report.systemPrompts.values()]).toEqual(["s"]);
  expect(report.files[0]).toMatchObject({ container: "json-object" });
  expect(report.warnings[0]?.text).toContain("A second list of 1 under data was not read");
});

test("records without an ask are counted, not read as empty rows", () => {
  const { rows, report } = readRows('{"question":"q","answer":"a"}\n{"note":1}\n');
  expect(rows).toHaveLength(1);
  expect(report.skipped).toEqual(new Map([["no_ask_and_no_steps", 1]]));
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", '"', "\\", "\n", "\r", "\u2028", "\u0085", "é", "😀", "\ud835", "\udc00", "\0"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});

const anyRow: fc.Arbitrary<Row> = fc.record(
  {
    scenario_id: anyText,
    prompt: anyText,
    final_text: anyText,
    reward: fc.constantFrom(0, 1, 0.5, null),
    steps: fc.array(
      fc.record({
        tool: anyText,
        arguments: fc.dictionary(anyText, fc.oneof(anyText, fc.integer(), fc.constant(null))),
        result: fc.oneof(anyText, fc.boolean()),
      }),
    ),
    markers: fc.dictionary(fc.constantFrom("a", "constructor", "__proto__"), fc.integer({ min: 0, max: 1 })),
    extra: fc.object({
      key: anyText,
      values: [anyText, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)],
    }),
  },
  { requiredKeys: ["scenario_id"] },
) as fc.Arbitrary<Row>;

const lines = (rows: readonly Row[]) => rows.map((one) => `${rowLine(one)}\n`).join("");

test("rows that are written and read are the same rows, in any text that strings can hold", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1 }), (rows) => {
      expect(readRows(lines(rows), { format: "while" }).rows).toEqual(rows);
    }),
    { numRuns: 40 },
  );
});

test("where a chunk of the file ends does not matter", () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1 }), fc.array(fc.integer({ min: 1, max: 50 })), (rows, sizes) => {
      const bytes = new TextEncoder().encode(lines(rows));
      const reader = new FileRows(null, new ReadCollector({ format: "while" }));
      const read: Row[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        read.push(...reader.push(bytes.slice(at, at + size)));
        at += size;
      }
      expect([...read, ...[...reader.end()].flat()]).toEqual(rows);
    }),
    { numRuns: 40 },
  );
});
