import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { preferenceLines } from "../preference/preference-lines.ts";
import type { WireMessage } from "../training-row.ts";
import { inlineCalls } from "./inline-calls.ts";

const call = (id: string, args: string) => ({
  id,
  type: "function" as const,
  function: { name: "f", arguments: args },
});
const answer = (content: string) => ({ role: "tool", content }) as const;
const user = { role: "user", content: "q" } as const;
const say = (content: string) => ({ role: "assistant", content }) as const;

test("calls of one turn, their answers, digits and accents", () => {
  const calls = [call("a", '{"id":12345678901234567890}'), call("b", '{"t": "é"}')];
  const turn: WireMessage = { role: "assistant", content: "Two:", tool_calls: calls };
  expect(inlineCalls([user, turn, answer("r1"), answer("r2"), say("ok")])).toEqual([
    user,
    {
      role: "assistant",
      content:
        'Two:\n<tool_call>\n{"name": "f", "arguments": {"id": 12345678901234567890}}\n</tool_call>\n<tool_call>\n{"name": "f", "arguments": {"t": "é"}}\n</tool_call>',
    },
    { role: "user", content: "<tool_response>\nr1\n</tool_response>\n<tool_response>\nr2\n</tool_response>" },
    say("ok"),
  ]);
});

test("schemas without a system message get one", () => {
  const [system, ...rest] = inlineCalls([user], [{ type: "function", function: { name: "f" } }]);
  expect(system!.content).toMatch(/^# Tools\n\nYou may/);
  expect(rest).toEqual([user]);
});

test.each(["verl", "openrlhf", "torchtune"])(
  "%s: a call that does not read back is refused, though it would be text",
  (format) => {
    const messages = [user, { role: "assistant", tool_calls: [{ name: "f", arguments: "{x" }] }];
    expect(() => exportLines([{ messages }], { format })).toThrow(/^tool_call_roundtrip_invalid: 1 of 1/);
  },
);

test.each(["verl", "openrlhf", "torchtune", "nemo-rl"])("%s cannot train single turns", (format) => {
  const rows = [{ messages: [user, say("a"), user, say("b")], train_turns: [0] }];
  expect(() => exportLines(rows, { format })).toThrow(/^mask_unsupported/);
});

test.each(["openrlhf", "torchtune", "nemo-rl"])("%s rows end with an agent turn", (format) => {
  const { lines, report } = exportLines([{ messages: [user, say("a"), user] }], { format });
  expect(JSON.parse(lines[0]!)).toEqual({ messages: [user, say("a")] });
  expect(report).toMatchObject({ trainedMessages: 1, maskedMessages: 1, trailingMessagesDropped: 1 });
});

test.each(["openrlhf", "torchtune", "axolotl"])("%s: what must be set is said for rows and for pairs", (format) => {
  const { report } = exportLines([{ messages: [user, say("a")] }], { format });
  expect(report.requires.length).toBeGreaterThan(0);
  const pair = { chosen: [user, say("a")], rejected: [user, say("b")] };
  expect(preferenceLines([pair], { format }).report.requires.length).toBe(format === "torchtune" ? 0 : 1);
});

test("verl has no rows for pairs", () => {
  expect(() => preferenceLines([], { format: "verl" })).toThrow(/^kind_unsupported: verl .* Use one of openai, trl/);
});
