import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatKtoReport } from "./format-kto-report.ts";
import { type KtoOptions, ktoLines } from "./kto-lines.ts";

const graded = (scenario_id: string, final_text: string, reward: number | null, more: Row = {}): Row => ({
  prompt: `ask ${scenario_id}`,
  scenario_id,
  final_text,
  reward,
  ...more,
});
const both = [graded("a", "yes", 1), graded("b", "no", 0)];
const rowsOf = (rows: Row[], options: KtoOptions = {}) => ktoLines(rows, options).lines.map((line) => JSON.parse(line));

test.each([
  [10, 30, [3, 4]],
  [30, 10, [0.33, 0.44]],
  [10, 10, [1, 1.33]],
  [0, 10, null],
])("%i wanted and %i unwanted replies: weights %j", (wanted, unwanted, weight) => {
  const rows = [
    ...Array.from({ length: wanted }, () => graded("a", "yes", 1)),
    ...Array.from({ length: unwanted }, () => graded("b", "no", 0)),
  ];
  expect(ktoLines(rows, { validate: false }).report.suggestedDesirableWeight).toEqual(weight);
});

test("tasks are dealt in turn, so that neighbours are of two tasks for as long as there are two", () => {
  const rows = ["a", "a", "a", "b", "b", "c"].map((task, at) => graded(task, `${task}${at}`, at % 2));
  const replies = rowsOf(rows).map(({ completion }) => completion[0].content);
  expect(replies).toEqual(["a0", "b3", "c5", "a1", "b4", "a2"]);
});

test("the reply is the last turn that may train; what follows it is cut", () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "x" },
    { role: "user", content: "again" },
    { role: "assistant", content: "y" },
    { role: "user", content: "thanks" },
  ];
  const { lines, report } = ktoLines([{ ...both[0]!, messages } as Row, both[1]!]);
  expect(JSON.parse(lines[0]!)).toMatchObject({ prompt: { length: 3 }, completion: [{ content: "y" }], label: true });
  expect(report).toMatchObject({ n: 2, trailingMessagesDropped: 1 });
});

test.each<[string, object]>([
  ["axolotl", { prompt: "ask a", completion: "yes", label: true }],
  [
    "llamafactory",
    {
      conversations: [
        { from: "human", value: "ask a" },
        { from: "gpt", value: "yes" },
      ],
      kto_tag: true,
    },
  ],
  [
    "ms-swift",
    {
      messages: [
        { role: "user", content: "ask a" },
        { role: "assistant", content: "yes", loss: true },
      ],
      label: true,
    },
  ],
  [
    "openrlhf",
    {
      messages: [
        { role: "user", content: "ask a" },
        { role: "assistant", content: "yes" },
      ],
      label: true,
    },
  ],
])("%s rows", (format, row) => {
  expect(rowsOf(both, { format })[0]).toEqual(row);
});

test("axolotl wraps one turn in ChatML, so that the turns before it stand inside it with their marks", () => {
  const steps = [{ text: "Looking.", tool: "f", arguments: { x: 1 }, result: "r" }];
  const [row] = rowsOf([graded("a", "yes", 1, { steps }), both[1]!], { format: "axolotl", systemPrompt: "S" });
  const { system, prompt, completion } = row;
  // What the loader makes of the three.
  const text = `<|im_start|>system\n${system}<|im_end|>\n<|im_start|>user\n${prompt}<|im_end|>\n<|im_start|>assistant\n${completion}<|im_end|>`;
  expect(text).toBe(
    [
      "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nask a<|im_end|>\n<|im_start|>assistant\nLooking.",
      '<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call><|im_end|>',
      "<|im_start|>user\n<tool_response>\nr\n</tool_response><|im_end|>\n<|im_start|>assistant\nyes<|im_end|>",
    ].join("\n"),
  );
  const opens = { opener: "Hello.", opening: "agent" };
  expect(() => rowsOf([graded("a", "yes", 1, opens), both[1]!], { format: "axolotl" })).toThrow(
    /row 0 \(a\): it does not begin with a person's turn/,
  );
});

test("llamafactory: rows whose turns do not alternate are left out and counted", () => {
  const opens = graded("c", "yes", 1, { opener: "Hello.", opening: "agent" });
  expect(ktoLines([...both, opens], { format: "llamafactory" }).report).toMatchObject({ n: 2, alternationDropped: 1 });
});

const privileged = { reference: "the card is blocked since May" };

test("a wanted reply that quotes its privileged block is refused by its place, an unwanted one counted", () => {
  const leak = (reward: number) => graded("b", "The card is blocked since May.", reward, { privileged });
  expect(() => ktoLines([both[0]!, leak(1), both[1]!])).toThrow(/^privileged_leak: 1 of 1 wanted replies .* b#0/);
  const { report } = ktoLines([both[0]!, leak(0)]);
  expect(report.privilegedLeaks).toEqual({ nChecked: 1, desirable: 0, undesirable: 1 });
});

test.each<[Row[], RegExp]>([
  [[], /The source has no rows/],
  [[graded("a", "yes", 1)], /No reply is unwanted \(reward under 0.5\) among 1/],
  [[graded("a", "no", 0)], /No reply is wanted \(reward over 0.5\) among 1/],
  [[graded("a", "x", 0.5), graded("a", "x", null)], /None of 2 rows is a judged reply: 1 are ungraded, 1 exactly 0.5/],
])("one class alone is refused %#", (rows, message) => {
  expect(() => ktoLines(rows)).toThrow(message);
});

test("other options and formats are refused", () => {
  expect(() => ktoLines(both, { maskMode: "final" } as never)).toThrow(/^invalid_option/);
  expect(() => ktoLines(both, { format: "openai" })).toThrow(/^kind_unsupported: openai has no rows for KTO/);
});

test("the report as text", () => {
  expect(
    formatKtoReport(ktoLines([...both, graded("c", "x", 0.5)]).report),
  ).toBe(`export kto: 2 of 3 trl rows, not written
  1 wanted, 1 unwanted; set desirable_weight between 1.00 and 1.33 with undesirable_weight 1
  tool calls: 0 checked as dict, 0 do not read back
  leaks: not measured, no row carries privileged context long enough to quote
  1 dropped, their reward is exactly 0.5
  requires per_device_train_batch_size: > 1 (the baseline comes from the other rows of a batch)`);
});
