import type { Example } from "@while/platform-client/contract";
import { cutExample } from "@while/platform-client/rules";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rowStory } from "./row-story.ts";

const row = (detail: unknown, more: Partial<Example> = {}): Example => ({
  ...{ ok: false, prompt: "Refund it.", reply: "Done." },
  detail: typeof detail === "string" ? detail : JSON.stringify(detail),
  ...more,
});
const lines = (example: Example) => rowStory(example).turns.map(({ who, text }) => `${who}: ${text}`);

test("without a conversation the prompt and the reply are one, and the detail is text", () => {
  const story = rowStory(row("asked on 2026-09-11"));
  expect(story.turns.map(({ who }) => who)).toEqual(["asked", "agent"]);
  expect(story.detail).toBe("asked on 2026-09-11");
});

test("messages with calls and results are told in order", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Refund it." },
    { role: "assistant", content: "", tool_calls: [{ function: { name: "look_up", arguments: '{"order":"59871"}' } }] },
    { role: "tool", content: '{"total":38.2}' },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
  ];
  const told = [
    "system: Be brief.",
    "asked: Refund it.",
    'call: look_up({ "order": "59871" })',
    'result: { "total": 38.2 }',
    "agent: Done.",
  ];
  expect(lines(row(messages))).toEqual(told);
  expect(lines(row({ messages }))).toEqual(told);
  expect(rowStory(row({ messages })).detail).toBeNull();
});

test("a long result gets its lines", () => {
  const content = JSON.stringify({ items: Array.from({ length: 20 }, (_, i) => i), total: "38.20" });
  const [told] = lines(row([{ role: "tool", content }]));
  expect(told).toMatch(/^result: \{\n {2}"items": \[\n/);
});

test("steps, and calls as the platform returns them, are a conversation too", () => {
  const steps = [{ tool: "look_up", arguments: { order: 1 }, result: "none" }];
  const told = ["asked: Hi", 'call: look_up({ "order": 1 })', "result: none", "agent: Sorry."];
  expect(lines(row({ prompt: "Hi", steps, final_text: "Sorry." }))).toEqual(told);
  const tool_trace = [{ tool: "look_up", input: { order: 1 }, output: "none" }];
  expect(lines(row({ prompt: "Hi", tool_trace, final_text: "Sorry." }))).toEqual(told);
});

test("a detail that lost its middle shows where: in a turn while it is JSON, else as the text it is", () => {
  const inText = cutExample(row({ messages: [{ role: "user", content: "x".repeat(5000) }] })).example;
  expect(rowStory(inText).turns[0]!.text).toMatch(/x\[\.\.\. \d+ chars cut \.\.\.\]x/);
  const inList = cutExample(row({ numbers: Array.from({ length: 2000 }, (_, i) => i), messages: [] })).example;
  expect(rowStory(inList)).toMatchObject({ detail: inList.detail, gold: null });
});

const labels = (...given: number[]) => given.map((label, i) => ({ label, annotator: ["Ana", "Ben", "Cem"][i] }));

test.each<[boolean, number[], boolean | null]>([
  [false, [1, 1], true],
  [false, [0, 0], false],
  [true, [0], true],
  [true, [0, 1], null],
  [true, [0, 1, 1], false],
])("graded %j against labels %j: disagree %j", (ok, given, disagree) => {
  const story = rowStory(
    row({ gold_labels: labels(...given), judge_name: "refund-judge", reason: "too late" }, { ok }),
  );
  expect(story).toMatchObject({ disagree, judge: "refund-judge", judgeReason: "too late" });
  expect(story.gold).toMatchObject({ of: given.length, kind: "people" });
});

test.each<[object, string]>([
  [{ gold_reward: 1, gold_kind: "verifier" }, "program"],
  [{ gold_reward: 1, gold_kind: "model" }, "model"],
  [{ gold_reward: 1 }, "people"],
])("the gold of %j is by %s", (given, kind) => {
  expect(rowStory(row(given)).gold).toMatchObject({ kind, passed: 1, of: 1 });
});

test("a label that is a tag counts, and a word that is none does not", () => {
  expect(rowStory(row("", { tags: { gold: "Pass" } })).disagree).toBe(true);
  expect(rowStory(row("", { tags: { gold: "perhaps" } })).gold).toBeNull();
});

test("whatever stands in a detail, a story comes of it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (detail) => {
      expect(rowStory(row(detail)).turns.length).toBeGreaterThan(0);
    }),
  );
  for (const detail of [{ messages: [1, null, "x"] }, { gold_labels: [1, { label: 2 }] }, { tool_trace: [{}] }, [[]]])
    expect(rowStory(row(detail)).turns.length).toBeGreaterThan(0);
});
