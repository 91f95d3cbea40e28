import { expect, test } from "vitest";
import { rewardModelLines } from "./reward-model-lines.ts";

const ask = { role: "user", content: "q" };
const say = (content: string) => ({ role: "assistant", content });
const call = { role: "assistant", content: "", tool_calls: [{ id: "c", name: "f", arguments: '{"x": 1}' }] };
const answer = { role: "tool", content: "r", tool_call_id: "c" };
const pair = { prompt: "q", chosen: [ask, call, answer, say("yes")], rejected: [ask, say("no")], margin: 1 } as const;
const tools = [{ type: "function", function: { name: "f" } }];
const rowOf = (options: object) => JSON.parse(rewardModelLines([pair as never], options).lines[0]!);

test("trl: both sides whole, the margin only on request", () => {
  const row = rowOf({});
  expect(Object.keys(row)).toEqual(["chosen", "rejected", "schema_version", "prompt_text"]);
  expect(row.chosen).toHaveLength(4);
  expect(row.chosen[1].tool_calls[0].function.arguments).toEqual({ x: 1 });
  expect(rowOf({ marginColumn: true })).toMatchObject({ margin: 1 });
  expect(rewardModelLines([pair as never], { marginColumn: true }).lines[0]).toContain('"margin": 1.0');
});

test("a margin column wants a margin on every pair: null would be subtracted", () => {
  const { margin: _, ...without } = pair;
  expect(() => rewardModelLines([pair, without] as never, { marginColumn: true })).toThrow(
    /^consumer_refused: trl would refuse 1 pairs: pair 1: it has no margin/,
  );
});

test("ms-swift has both conversations without loss flags, openrlhf has calls in the text", () => {
  expect(rowOf({ format: "ms-swift", tools })).toEqual({
    messages: [
      ask,
      { role: "tool_call", content: '{"name": "f", "arguments": {"x": 1}}' },
      { role: "tool_response", content: "r" },
      say("yes"),
    ],
    rejected_messages: [ask, say("no")],
    tools: JSON.stringify(tools).replaceAll(":", ": ").replaceAll(",", ", "),
    rejected_tools: JSON.stringify(tools).replaceAll(":", ": ").replaceAll(",", ", "),
  });
  const row = rowOf({ format: "openrlhf", marginColumn: true });
  expect(row).toMatchObject({ rejected: [ask, say("no")], margin: 1 });
  expect(row.chosen[1].content).toContain("<tool_call>");
});

test("options of the other kind, and formats without the kind, are refused", () => {
  expect(() => rowOf({ point: "first" })).toThrow(/^invalid_option/);
  expect(() => rowOf({ format: "axolotl" })).toThrow(/^kind_unsupported: axolotl has no rows for a reward model/);
});
