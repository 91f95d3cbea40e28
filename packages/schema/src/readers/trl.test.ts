import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const user = { role: "user", content: "Where?" };
const good = { role: "assistant", content: "Shipped today." };
const bad = { role: "assistant", content: "Shipped, I guess." };

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test.each([
  ["standard", { prompt: "Where?", completion: "Shipped today." }],
  ["conversational", { prompt: [user], completion: [good] }],
  ["mixed", { prompt: "Where?", completion: [good] }],
])("prompt and completion, %s, are one row", (_, line) => {
  const { rows, report } = read([line]);
  expect(report.format).toBe("prompt-completion");
  expect(rows).toMatchObject([{ prompt: "Where?", final_text: "Shipped today.", rollout_index: 0 }]);
});

test.each([
  ["explicit", { prompt: [user], chosen: [good], rejected: [bad] }, "Where?"],
  ["implicit", { chosen: [user, good], rejected: [user, bad] }, "Where?"],
  ["text beside whole conversations", { prompt: "Where?", chosen: [user, good], rejected: [user, bad] }, "Where?"],
  ["texts", { prompt: "Where?", chosen: "Shipped today.", rejected: "Shipped, I guess." }, "Where?"],
  ["texts with an implicit prompt", { chosen: "Where? Now.", rejected: "Where? Never." }, "Where? "],
])("preferences (%s) are two rows of one task", (_, line, prompt) => {
  const { rows, report } = read([{ ...line, score_chosen: 9 }]);
  expect(report.format).toBe("preference");
  expect(rows.map((row) => [row.prompt, row.reward, row.label_source])).toEqual([
    [prompt, 1, "preference"],
    [prompt, 0, "preference"],
  ]);
  expect(rows[0]!.task_id).toBe(rows[1]!.task_id);
  expect(rows[0]!.final_text).not.toBe(rows[1]!.final_text);
  expect(rows[0]!.score_chosen).toBe(9);
});

test.each([
  [true, 1],
  [false, 0],
  [1, 1],
])("a label of %j is the reward %i", (label, reward) => {
  const { rows, report } = read([{ prompt: "Where?", completion: "Here.", label }]);
  expect(report.format).toBe("kto");
  expect(rows[0]).toMatchObject({ reward, label_source: "label" });
});

test("a label that is neither is refused with its line", () => {
  expect(() => read([{ prompt: "p", completion: "c", label: "good" }])).toThrow(/line 1: label is the text "good"/);
});

test("stepwise labels are markers, and the reward says whether all are right", () => {
  const { rows } = read([
    { prompt: "p", completions: ["a", "b"], labels: [true, false] },
    { prompt: "p", completions: ["a"], labels: [true] },
  ]);
  expect(rows).toMatchObject([
    { final_text: "a\nb", markers: { step_0: 1, step_1: 0 }, reward: 0, completions: ["a", "b"] },
    { final_text: "a", markers: { step_0: 1 }, reward: 1, rollout_index: 1 },
  ]);
  expect(() => read([{ prompt: "p", completions: ["a"], labels: [] }])).toThrow(/1 completions and 0 labels/);
});

test("prompts alone are rows without an answer", () => {
  const { rows, report } = read([{ prompt: [{ role: "system", content: "s" }, user], level: 3 }]);
  expect(report.format).toBe("prompt-only");
  expect(rows[0]).toMatchObject({ prompt: "Where?", final_text: "", level: 3 });
});

test("tools may be the JSON text of a list; the template's arguments stay", () => {
  const tools = [{ type: "function", function: { name: "find" } }];
  const line = { messages: [user, good], tools: JSON.stringify(tools), chat_template_kwargs: { think: false } };
  expect(read([line]).rows[0]).toMatchObject({ tools, chat_template_kwargs: { think: false } });
  expect(() => read([{ ...line, tools: "find" }])).toThrow(/tools is text that is no JSON list/);
});

test("columns that were flattened to JSON are put back, and text that is no JSON stays", () => {
  const steps = [{ tool: "t", arguments: { a: 1 }, result: "r" }];
  const { rows } = read([
    {
      scenario_id: "s",
      prompt: "p",
      final_text: "f",
      steps_json: JSON.stringify(steps),
      metadata_json: '{"m":1}',
      usage_json: '{"input_tokens":1}',
      broken_json: "[not",
    },
    { scenario_id: "s", steps_json: "[]", steps: [{ text: "kept" }], prompt: "p", final_text: "f" },
  ]);
  expect(rows[0]).toEqual({
    scenario_id: "s",
    prompt: "p",
    final_text: "f",
    steps,
    metadata: { m: 1 },
    usage_json: '{"input_tokens":1}',
    broken_json: "[not",
  });
  expect(rows[1]).toMatchObject({ steps: [{ text: "kept" }], steps_json: "[]" });
});

test("a file that mixes column sets is read when the format is named", () => {
  const lines = [
    { prompt: "p", completion: "c" },
    { prompt: "p", chosen: "a", rejected: "b" },
    { messages: [user, good] },
    { prompt: [user] },
    { prompt: "p", completion: "c", label: true },
    { prompt: "p", completions: ["a"], labels: [true] },
  ];
  expect(() => read(lines)).toThrow(/mixes formats/);
  expect(read(lines, { format: "trl" }).report).toMatchObject({ format: "trl", records: 6, rows: 7 });
  expect(() => read([...lines, { text: "x" }], { format: "trl" })).toThrow(
    /The columns "text" are none that TRL trains on/,
  );
});

test.each([
  [{ prompt: "p", completions: ["a", "b"], labels: [true, "no"] }, /labels\[1\] is the text "no"/],
  [{ prompt: "p", completions: ["a", { toString: null }], labels: [true, true] }, /completions\[1\] is an object/],
  [{ prompt: "p", completion: "c", label: "x".repeat(5000) }, /label is the text "x{40}…"\. Write true or false\./],
])("a column that cannot be what it is called is refused in a short sentence: %#", (record, what) => {
  expect(() => read([record], { format: "trl" })).toThrow(what);
});

test("a KTO line that has lost its label is refused as without one", () => {
  expect(() => read([{ prompt: "p", completion: "c" }], { format: "kto" })).toThrow(/label is missing/);
});
