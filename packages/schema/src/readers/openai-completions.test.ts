import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const rules = { role: "system", content: "Be brief." };
const ask = { role: "user", content: "Where is order 4473?" };
const call = { id: "c1", type: "function", function: { name: "lookup", arguments: '{"order":"4473"}' } };
const asks = { role: "assistant", content: null, refusal: null, tool_calls: [call] };
const found = { role: "tool", tool_call_id: "c1", content: "shipped" };
const said = { role: "assistant", content: "It shipped.", refusal: null };
const lookup = { type: "function", function: { name: "lookup", parameters: {} } };

function completion(messages: object[], rest: object = {}) {
  const choices = messages.map((message, index) => ({ index, message, logprobs: null, finish_reason: "stop" }));
  const usage = { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 };
  return { id: "chatcmpl-1", object: "chat.completion", created: 0, model: "gpt-x-2026", choices, usage, ...rest };
}

const request = (messages: object[], rest: object = {}) => ({ model: "gpt-x", temperature: 0.5, messages, ...rest });

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test.each([
  ["request", "response"],
  ["input", "output"],
])("a record of %s and %s is a row", (asked, answered) => {
  const { rows, report } = read([
    { [asked]: request([rules, ask], { tools: [lookup] }), [answered]: completion([said]), reward: 1, mine: [7] },
  ]);
  expect(report).toMatchObject({ format: "openai-completions", warnings: [], tools: [lookup] });
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
  expect(rows).toMatchObject([
    {
      ...{ prompt: "Where is order 4473?", final_text: "It shipped.", messages: [ask, said], reward: 1, mine: [7] },
      ...{ model_version: "gpt-x-2026", sampling: { temperature: 0.5 }, finish_reason: "stop" },
      usage: { input_tokens: 40, output_tokens: 7 },
      openai_completions: {
        requests: [{ temperature: 0.5, response: { id: "chatcmpl-1", usage: { total_tokens: 47 } } }],
      },
    },
  ]);
});

test.each([
  ["as it came", asks],
  ["without its null", { role: "assistant", tool_calls: [call] }],
  ["with an empty text", { role: "assistant", content: "", tool_calls: [call] }],
])("turns that send the answer again %s are one row", (_, again) => {
  const turns = [
    { request: request([rules, ask]), response: completion([asks]) },
    { request: request([rules, ask, again, found]), response: completion([said]) },
  ];
  const { rows, report } = read(turns);
  expect(rows).toMatchObject([
    {
      steps: [{ tool: "lookup", arguments: { order: "4473" }, result: "shipped" }, { text: "It shipped." }],
      usage: { input_tokens: 80, output_tokens: 14 },
    },
  ]);
  expect(report.skipped).toEqual(new Map([["extended_by_next_request", 1]]));
});

test("another conversation is another row, and two answers to one ask are one task", () => {
  const one = { request: request([rules, ask]), response: completion([said]) };
  const { rows } = read([
    one,
    one,
    { request: request([{ role: "user", content: "Hi" }]), response: completion([said]) },
  ]);
  expect(rows.map(({ rollout_index: index }) => index)).toEqual([0, 1, 0]);
  expect(rows[1]!.task_id).toBe(rows[0]!.task_id);
  expect(rows[2]!.task_id).not.toBe(rows[0]!.task_id);
});

test("of several answers to one request the first is read, which is said, and the others are kept", () => {
  const other = { role: "assistant", content: "No idea." };
  const { rows, report } = read([{ request: request([ask], { n: 2 }), response: completion([said, other]) }]);
  expect(rows).toMatchObject([
    {
      final_text: "It shipped.",
      openai_completions: { requests: [{ n: 2, response: { other_choices: [{ message: other }] } }] },
    },
  ]);
  expect(report.warnings).toMatchObject([
    { code: "several_answers", text: expect.stringContaining("answered 2 times") },
  ]);
});

test("a request that failed is ungraded, and left out when asked", () => {
  const error = { message: "Rate limit reached.", type: "requests", code: "rate_limit_exceeded" };
  const failed = { request: request([rules, ask]), response: { error }, reward: 0 };
  expect(read([failed]).rows).toMatchObject([{ reward: null, judge_status: "error", judge_meta: { error } }]);
  expect(read([failed], { keepErrors: false }).rows).toEqual([]);
});

test("messages without a role are refused with their line", async () => {
  await expect(async () => read([{ request: request([{ content: "x" }]), response: completion([said]) }]))
    .rejects //
    .toMatchObject({ code: "bad_value", place: { line: 1 } });
});

test("a call that is none is kept as it stands", () => {
  const message = { role: "assistant", content: null, tool_calls: [null] };
  const request = { messages: [{ role: "user", content: "Hi" }], model: "m" };
  const text = JSON.stringify({ request, response: { object: "chat.completion", choices: [{ index: 0, message }] } });
  const { rows } = readRows(text, { format: "openai-completions" });
  expect(rows).toHaveLength(1);
  expect(rows[0]!.messages?.at(-1)).toMatchObject({ tool_calls: [null] });
});
