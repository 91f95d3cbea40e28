import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { ktoLines } from "../kto/kto-lines.ts";
import { preferenceLines } from "../preference/preference-lines.ts";
import { rewardModelLines } from "../preference/reward-model-lines.ts";
import { grpoLines } from "../tasks/grpo-lines.ts";
import { formats } from "./registry.ts";
import { rowProblem } from "./row-problem.ts";

const ask = { role: "user", content: "q" };
const say = { role: "assistant", content: "a" };
const call = (args: unknown) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: args } }],
});

test.each<[string, object, RegExp]>([
  [
    "trl",
    { messages: [ask, call('{"x": 1}')] },
    /^messages\[1\] has f\(…\) with arguments as text, which a template quotes/,
  ],
  ["trl", { prompt: "q", messages: [ask, say] }, /^has a prompt beside messages/],
  ["trl", { prompt: "q", chosen: [ask, say], rejected: [ask, say] }, /^has a text for a prompt beside conversations/],
  [
    "trl",
    { prompt: [ask], chosen: [ask, say], rejected: [say] },
    /^has a side of 2 messages: every token of it is scored/,
  ],
  ["trl", { prompt: [ask], chosen: "a", rejected: "b" }, /^has a pair whose sides are no lists/],
  ["trl", { prompt: [ask], completion: [say, ask] }, /^has a completion of 2 messages/],
  ["trl", { prompt: "q", completion: [say] }, /^has a prompt of text beside a completion/],
  ["trl", { text: "q" }, /^has neither messages/],
  ["trl", { messages: [ask, { ...say, tool_calls: null }] }, /^messages\[1\] has null under tool_calls/],
  ["fireworks", { messages: [ask, call({ x: 1 })] }, /arguments that are no JSON text/],
  ["fireworks", { messages: [ask, call("{")] }, /arguments that are no JSON$/],
  ["fireworks", { messages: [ask, say], reward: 1 }, /^has the column reward, which fireworks does not read/],
  ["fireworks", { input: { messages: [ask, call("[1]")] } }, /^messages\[1\] .* read back as no object/],
  ["verl", { messages: [ask, call("{}")] }, /^messages\[1\] has tool_calls, which the trainer drops/],
  ["openai", { messages: [{ content: "q" }] }, /^messages\[0\] has no role/],
])("%s: %j", (format, row, what) => {
  const problem = rowProblem(row, { format });
  expect(problem?.what).toMatch(what);
  expect(problem?.fix).toMatch(/\w/);
});

const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
const step = { tool: "f", arguments: { x: 1 }, result: "r" };
const rows = [1, 0].map((reward) => ({
  scenario_id: "s",
  prompt: "q",
  steps: [step],
  final_text: `a${reward}`,
  reward,
}));
const pairs = [{ chosen: rows[0]!, rejected: rows[1]! }];

test.each(formats.list().flatMap(({ name, kinds }) => kinds.map((kind) => [name, kind] as const)))(
  "what is written for %s (%s) has no problem",
  (format, kind) => {
    const options = { format, tools, validate: false };
    const { lines } = {
      sft: () => exportLines(rows, options),
      preference: () => preferenceLines(pairs, options),
      "reward-model": () => rewardModelLines(pairs, options),
      kto: () => ktoLines(rows, options),
      grpo: () => grpoLines(rows, { ...options, holdout: 0 }),
    }[kind]();
    expect(lines.length).toBeGreaterThan(0);
    // Pairs in the default format are for storage.
    if (format === "openai" && kind === "preference") return;
    for (const line of lines) expect(rowProblem(JSON.parse(line), { format })).toBeNull();
  },
);
