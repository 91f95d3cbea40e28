import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { exportLines } from "./export-lines.ts";
import type { ExportOptions } from "./export-options.ts";

const answered: Row = { prompt: "q", final_text: "a", reward: 1 };
const calling: Row = { prompt: "q", steps: [{ tool: "f", arguments: {}, result: "ok" }], final_text: "a", reward: 1 };
const tools = [{ type: "function", function: { name: "f", parameters: { required: ["id"] } } }];
const secret = "the card ends in 4242";
const leaking: Row = { ...answered, final_text: `Yes, ${secret}.`, privileged: { reference: secret } };
const image = [
  { role: "user", content: [{ type: "image_url" }] },
  { role: "assistant", content: "a" },
];

const warned = (rows: Row[], options: ExportOptions = {}) => exportLines(rows, options).report.warnings;

test.each([
  ["privileged_leak", [leaking], { validate: false }, "1 of 1 rows quote their own privileged block"],
  ["finish_length", [{ ...answered, finish_reason: "length" }], {}, "1 of 1 rows ended at the token limit"],
  ["reward_below_half", [answered, { ...answered, reward: 0.4 }], {}, "1 of 2 rows have a reward below 0.5"],
  ["rows_dropped", [answered, { prompt: "q" }], { format: "trl", maskMode: "final" }, "1 rows were dropped"],
  ["duplicate_rows", [answered, { ...answered, reward: 0.9 }, calling], { tools }, "1 of 3 rows say word for word"],
  ["rows_skipped", [answered, null as never], {}, "1 entries of the source are no objects"],
  ["tools_missing", [calling], {}, "1 rows call tools and no schema is written with them"],
  ["eval_sourced", [{ ...answered, lineage: { source: "eval" } }], {}, "1 rows are scored evals"],
  ["leak_check_vacuous", [{ messages: image.slice(1), schema_version: "1" }], {}, "No row could be checked for leaks"],
  [
    "think_removed_from_reasoner",
    [{ ...answered, final_text: "<think>h</think>a", policy_version: "Qwen3-8B" }],
    {},
    "Think text was taken out of 1 rows",
  ],
  [
    "unroll_copies_failing_reward",
    [{ ...calling, tools: [], reward: 0 }],
    { unroll: true, tools },
    "2 samples carry a reward below 0.5",
  ],
  ["reward_not_numeric", [{ ...answered, reward: "1" as never }], {}, "1 rewards are no finite numbers"],
  [
    "content_parts_dropped",
    [{ messages: image }],
    { validate: false },
    "Parts of messages that are no text were dropped: 1 image_url",
  ],
  ["nonfinite", [{ ...answered, reward: null, logprob: Number.NaN }], {}, "1 numbers are NaN or infinite"],
  [
    "schema_mismatch",
    [calling],
    { tools },
    "1 of 1 tool calls do not fit the schemas beside them, first f in row 0: id is required",
  ],
  [
    "unstable_columns",
    [
      { ...answered, history: "x" },
      { ...answered, history: ["x"] },
    ],
    {},
    "Columns without one type over all rows: history",
  ],
  ["requires", [answered], { format: "trl" }, "Needs assistant_only_loss: true; without it"],
])("%s is warned about", (code, rows, options, beginning) => {
  const texts = warned(rows as Row[], options as ExportOptions).filter((warning) => warning.code === code);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts[0]!.text.slice(0, beginning.length)).toBe(beginning);
});

test("an export without a fault has no warning", () => {
  expect(warned([answered, { ...calling, tools: [{ type: "function", function: { name: "f" } }] }])).toEqual([]);
});

test("warnings come in one order: what should not be in the file, what is not in it, what the trainer must be told", () => {
  const rows: Row[] = [
    {
      ...leaking,
      history: ["x"],
      reward: 0,
      finish_reason: "length",
      lineage: { source: "eval", system_prompt_sha: "x" },
    },
    { ...calling, history: "x" },
    { prompt: "q" },
  ];
  const codes = warned(rows, { format: "trl", maskMode: "final", validate: false, carry: "columns" }).map(
    ({ code }) => code,
  );
  expect(codes).toEqual([
    ...["privileged_leak", "finish_length", "reward_below_half", "rows_dropped"],
    ...["tools_missing", "system_prompt_missing", "eval_sourced", "unstable_columns"],
  ]);
});

test("a setting that the caller states is required and not warned about", () => {
  const options: ExportOptions = { format: "trl", trainerConfig: { assistant_only_loss: true, chat_template: "mine" } };
  const { report } = exportLines([answered], options);
  expect(report.requires.map(({ setting }) => setting)).toEqual(["assistant_only_loss", "chat_template"]);
  expect(report.warnings).toEqual([]);
  expect(report).toMatchObject({ trainedMessages: 1, maskedMessages: 1 });
  expect(report.maskMode).toMatch(/^assistant turns only/);
});

test.each([
  [[{ messages: image }], /^consumer_refused: openai rows hold text, and messages have other parts: 1 image_url\./],
  [[{ prompt: "" }], /^schema_invalid in training_rows: 0:messages_missing\./],
  [[answered, { ...answered, tools: "f" }], /^schema_invalid in training_rows: 1:tools_not_list\./],
  [
    [{ messages: [{ role: "assistant", content: "", tool_calls: [{ arguments: {} }] }] }],
    /^schema_invalid in training_rows: 0:tool_call_without_name\./,
  ],
  [[], /^empty_export: The source has no rows\. Check the file or the filter/],
  [{ rows: [], mode: "rl" }, /^empty_export: .* widen its band/],
  [{ rows: [], mode: "sft" }, /^empty_export: .* lower its minReward/],
])("%j is refused", (source, message) => {
  expect(() => exportLines(source as Row[])).toThrow(message);
});

test("a source of nothing but rows without a completion is refused with the count", () => {
  expect(() => exportLines([{ prompt: "q" }], { format: "trl", maskMode: "final" })).toThrow(
    /^empty_export: None of 1 rows is left: 1 have no agent turn with something before it\. Use maskMode: "assistant"/,
  );
});

test("a leak is refused by name and place", () => {
  expect(() => exportLines([{ ...leaking, scenario_id: "s", rollout_index: 3 }])).toThrow(
    /^privileged_leak: 1 of 1 rows checked quote their own privileged block: s#3 \(reference\)\. .* leakReport\(rows\) lists them, drop those; validate: false exports them anyway\.$/,
  );
});

test("tools: the caller's win, then the row's own, then the source's", () => {
  const named = (name: string) => [{ type: "function", function: { name } }];
  const toolOf = (options: ExportOptions, row: Row = answered) => {
    const { lines } = exportLines({ rows: [row], tools: named("source") }, options);
    return JSON.parse(lines[0]!).tools?.[0].function.name;
  };
  expect(toolOf({ tools: named("given") }, { ...answered, tools: named("own") })).toBe("given");
  expect(toolOf({}, { ...answered, tools: named("own") })).toBe("own");
  expect(toolOf({})).toBe("source");
  expect(toolOf({ tools: [] })).toBeUndefined();
});

test("chatTemplateKwargs stand on each row", () => {
  const { lines } = exportLines([answered], { format: "trl", chatTemplateKwargs: { enable_thinking: false } });
  expect(JSON.parse(lines[0]!).chat_template_kwargs).toEqual({ enable_thinking: false });
});

test("unroll reports the messages written for each message of the source", () => {
  const { report } = exportLines([{ ...calling, tools }], { unroll: true, validate: false });
  expect(report).toMatchObject({
    n: 2,
    rowsIn: 1,
    unrolled: true,
    maskMode: "final (unrolled)",
    unrollMessageFactor: 1.5,
  });
});

test("a row that is one sample already is not unrolled again, and is in no group", () => {
  const once = exportLines([calling, { ...calling, reward: 0 }], { unroll: true }).lines.map((line) =>
    JSON.parse(line),
  );
  const twice = exportLines(once, { unroll: true });
  expect(twice.lines.map((line) => JSON.parse(line))).toEqual(once);
  expect(twice.report.groups).toBe(0);
});

test("what does not travel is counted by name", () => {
  const { report } = exportLines([{ ...answered, markers: { brief: 1 }, privileged: {}, note: "x", gone: null }]);
  expect(report.notCarried).toEqual(
    new Map([
      ["markers", 1],
      ["note", 1],
    ]),
  );
});

test("a tool argument with a blocked name stays when it is not the privileged value, and is counted", () => {
  const step = { tool: "f", arguments: { reference: "INV-1" }, result: "ok" };
  const own = { ...calling, steps: [step] };
  const kept = exportLines([own]);
  expect(kept.lines[0]).toContain("INV-1");
  expect(kept.report.blockedNamesKept).toBe(1);
  expect(exportLines([{ ...own, privileged: { reference: "INV-1" } }]).lines[0]).not.toContain("INV-1");
});

test("a generator is held in memory, and the report says so", () => {
  const { report } = exportLines([answered].values());
  expect(report).toMatchObject({ n: 1, buffered: true });
});

test("the report goes over the wire under the names that files have", () => {
  const wire = toWire(exportLines([calling], { format: "trl" }).report) as Record<string, unknown>;
  expect(Object.keys(wire)).toEqual([
    ...["n", "rows_in", "n_written", "path", "sha256", "bytes", "format", "with_system", "with_tools", "groups"],
    ...["tool_call_roundtrip", "mask_mode", "trl_version", "unrolled", "max_tool_output_chars"],
    ...["tool_output_truncated", "tool_output_chars_cut", "trained_messages", "masked_messages", "privileged_leaks"],
    ...["rewards", "no_completion_dropped", "trailing_messages_dropped", "requires", "arrow", "warnings"],
  ]);
  expect(wire.privileged_leaks).toMatchObject({ checked: false, n_checked: 0, n_leaked: 0, leaked: [] });
  expect(wire.rewards).toEqual({ n_pass: 1, n_fail: 0, n_ungraded: 0 });
  expect(wire.tool_call_roundtrip).toMatchObject({
    checked: 1,
    invalid: 0,
    rows: [],
    encoding: "dict",
    checked_for: "trl",
  });
});

test("rows that train other turns of one conversation are no duplicates, and those of unrolled turns neither", () => {
  const twice = [calling, { ...calling, train_turns: [0] }];
  expect(exportLines(twice, { tools }).report.duplicateRows).toBeUndefined();
  expect(exportLines([calling], { unroll: true, tools }).report).toMatchObject({ n: 2 });
  expect(exportLines([calling], { unroll: true, tools }).report.duplicateRows).toBeUndefined();
  expect(exportLines([calling, calling], { unroll: true, tools }).report.duplicateRows).toBe(2);
});

test("dropEvalSourced leaves out rows of scored evals, counts them, and names the others as before", () => {
  const evaluated = { ...answered, prompt: "held out", lineage: { source: "eval" } };
  const { lines, report } = exportLines([evaluated, answered, evaluated], { dropEvalSourced: true });
  expect(lines).toEqual(exportLines([answered]).lines);
  expect(report).toMatchObject({ n: 1, rowsIn: 3, evalSourcedDropped: 2, warnings: [] });
  expect(report.evalSourced).toBeUndefined();
  expect(() => exportLines([evaluated], { dropEvalSourced: true })).toThrow(
    /None of 1 rows is left: 1 are scored evals, which dropEvalSourced leaves out\. Grade rows of the training set/,
  );
});

test("what is kept of a long tool message is said with its cap", () => {
  const long = { ...calling, steps: [{ tool: "f", arguments: {}, result: "0123456789" }] };
  const { lines } = exportLines([long], { tools, maxToolOutputChars: 4, toolOutputKeep: "ends" });
  expect(JSON.parse(lines[0]!).messages[2].content).toBe("01\n[... 6 chars of tool output truncated]\n89");
  expect(() => exportLines([long], { toolOutputKeep: "tail" })).toThrow(/none is cut\. Give maxToolOutputChars too/);
  expect(() => exportLines([long], { maxToolOutputChars: 1, toolOutputKeep: "middle" as never })).toThrow(
    /head, tail, ends/,
  );
});

test.each<[about: string, options: ExportOptions, kept: boolean]>([
  [
    "a template that has words for thinking",
    { format: "torchtune", template: "{{ messages[0].reasoning_content }}" },
    true,
  ],
  ["a template that has none", { format: "torchtune", template: "{{ messages[0].content }}" }, false],
  ["a model that thinks", { format: "llamafactory", baseModel: "Qwen/Qwen3-8B" }, true],
  ["a model that does not", { format: "llamafactory", baseModel: "Qwen/Qwen2.5-7B-Instruct" }, false],
])("stripThink auto, for %s", (_, options, kept) => {
  const row = { ...answered, final_text: "<think>7 times 6</think>42" };
  const { lines, report } = exportLines([row], { ...options, stripThink: "auto", validate: false });
  expect(lines[0]!.includes("7 times 6")).toBe(kept);
  expect(report.stripThink).toBe(!kept);
});

test("stripThink auto needs to know the model", () => {
  expect(() => exportLines([answered], { stripThink: "auto" })).toThrow(/nothing says which model is tuned/);
});
