import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { preferenceLines } from "../preference/preference-lines.ts";
import type { WireMessage } from "../training-row.ts";
import { linkProblem } from "./weighted.ts";

const ask = { role: "user", content: "q" } as const;
const say = (content: string) => ({ role: "assistant", content }) as const;
const call = (id: string) => ({
  role: "assistant" as const,
  content: "",
  tool_calls: [{ id, type: "function" as const, function: { name: "f", arguments: "{}" } }],
});
const answer = (id: string) => ({ role: "tool", content: "r", tool_call_id: id }) as const;

test.each<[WireMessage[], string | null]>([
  [[ask, call("a"), answer("a"), say("x")], null],
  [[ask, call("a")], null],
  [[ask, call("a"), say("x")], "the call a is never answered"],
  [[ask, answer("a")], "a tool's answer belongs to no call of the turn before it"],
  [[ask, call("a"), answer("a"), answer("a")], "a tool's answer belongs to no call of the turn before it"],
])("linkProblem %#", (messages, problem) => {
  expect(linkProblem(messages)).toBe(problem);
});

test.each([
  ["a call without its answer", [ask, call("a"), say("x")], {}, /openai-ft would refuse 1 rows: row 0: the call a is/],
  [
    "two system messages",
    [{ role: "system", content: "a" }, { role: "system", content: "b" }, ask, say("x")],
    {},
    /several system/,
  ],
  ["nothing that trains", [ask, say("x")], { maskMode: () => false }, /no turn trains/],
] as const)("openai-ft refuses %s", (_, messages, options, message) => {
  const rows = [{ messages: [...messages] }];
  expect(() => exportLines(rows, { ...options, format: "openai-ft" })).toThrow(message);
  const { report } = exportLines(rows, { ...options, format: "openai-ft", validate: false });
  expect(report.warnings.map(({ code }) => code)).toContain("consumer_refuses");
});

test("openai-ft ends with an agent turn, what stands behind it is cut and counted", () => {
  const { lines, report } = exportLines([{ messages: [ask, say("x"), ask] }], { format: "openai-ft" });
  expect(JSON.parse(lines[0]!)).toEqual({ messages: [ask, { ...say("x"), weight: 1 }] });
  expect(report).toMatchObject({ trainedMessages: 1, maskedMessages: 1, trailingMessagesDropped: 1 });
});

test.each(["fireworks", "together"])("%s: weight on agent turns alone, and nothing else on the row", (format) => {
  const rows = [{ messages: [ask, say("x"), ask, say("y")], train_turns: [1], reward: 1 }];
  const { lines, report } = exportLines(rows, { format });
  const messages = [ask, { ...say("x"), weight: 0 }, ask, { ...say("y"), weight: 1 }];
  expect(JSON.parse(lines[0]!)).toEqual({ messages });
  expect(report).toMatchObject({ trainedMessages: 1, maskedMessages: 3 });
  expect(() => exportLines(rows, { format, carry: "auto" })).toThrow(/^invalid_option: .* takes its own columns/);
});

test("together refuses a side that is a call and no text, openai-ft a shared part that ends with the agent's turn", () => {
  const silent = { chosen: [ask, call("a")], rejected: [ask, say("no")] };
  expect(() => preferenceLines([silent], { format: "together" })).toThrow(
    /together would refuse 1 pairs: pair 0: a side/,
  );
  expect(preferenceLines([silent], { format: "together", validate: false }).report.warnings[0]!.code).toBe(
    "consumer_refuses",
  );
  const twice = { chosen: [ask, say("a"), say("b")], rejected: [ask, say("a"), say("c")] };
  expect(() => preferenceLines([twice], { format: "openai-ft" })).toThrow(/shared messages end with an agent turn/);
});

const looked = [ask, { ...call("a"), content: "Looking." }, answer("a"), say("x")];

test("together: rows with tools are warned about, and inlineTools writes what every client takes", () => {
  const codes = (options: object) =>
    exportLines([{ messages: looked }], { format: "together", ...options }).report.warnings.map(({ code }) => code);
  expect(codes({})).toContain("together_validator_old_client");
  expect(codes({ inlineTools: true })).not.toContain("together_validator_old_client");
  const { lines, report } = exportLines([{ messages: looked, train_turns: [1] }], {
    format: "together",
    inlineTools: true,
  });
  expect(JSON.parse(lines[0]!).messages).toEqual([
    ask,
    {
      role: "assistant",
      content: 'Looking.\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>',
      weight: 0,
    },
    { role: "user", content: "<tool_response>\nr\n</tool_response>" },
    { ...say("x"), weight: 1 },
  ]);
  expect(report).toMatchObject({ inline: "hermes", toolCallRoundtrip: { checked: 1, encoding: "text" } });
});

test("calls in the text are warned about for a base whose template writes them otherwise", () => {
  const codes = (baseModel: string) =>
    exportLines([{ messages: looked }], { format: "verl", baseModel }).report.warnings.map(({ code }) => code);
  expect(codes("meta-llama/Llama-3.1-8B-Instruct")).toContain("inline_dialect");
  expect(codes("Qwen/Qwen3-8B")).not.toContain("inline_dialect");
});

test("mistral: several turns that train beside tools are warned about, unless they are unrolled", () => {
  const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
  const codes = (unroll: boolean) =>
    exportLines([{ messages: looked, tools }], { format: "mistral", unroll }).report.warnings.map(({ code }) => code);
  expect(codes(false)).toContain("mistral_only_last");
  expect(codes(true)).not.toContain("mistral_only_last");
});
