import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../agent/model.ts";
import { anthropicDialect } from "./anthropic-dialect.ts";
import type { Dialect, DialectSettings } from "./dialect.ts";
import { EventStreamReader } from "./event-stream.ts";
import { openAiDialect } from "./openai-dialect.ts";
import { spokenText } from "./spoken-text.ts";
import { parseTextToolCalls, withoutTextToolCalls } from "./text-tool-calls.ts";

const SETTINGS: DialectSettings = {
  ...{ model: "m", stream: false, logprobs: false, textToolCalls: false, thinking: undefined, extra: {} },
  refused: new Set(),
};
const events = (...items: unknown[]): string =>
  items.map((item) => `data: ${typeof item === "string" ? item : JSON.stringify(item)}\n\n`).join("");

/** The answer of a stream that comes in pieces cut at these places. */
function streamed(dialect: Dialect, body: string, cuts: readonly number[] = [], settings = SETTINGS) {
  const bytes = new TextEncoder().encode(body);
  const reader = new EventStreamReader();
  const stream = dialect.open(settings);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  for (let i = 1; i < places.length; i++) {
    for (const data of reader.push(bytes.subarray(places[i - 1]!, places[i]!))) stream.push(data);
  }
  for (const data of reader.end()) stream.push(data);
  return stream.answer();
}

test.each([
  [
    'Sure.<tool_call>{"name":"get_order","arguments":{"order_id":"A1"}}</tool_call><tool_call>not json</tool_call><tool_call>{"tool":"x","args":"{\\"b\\":1}"}</tool_call>',
    [
      { id: "call_0", name: "get_order", arguments: '{"order_id":"A1"}' },
      { id: "call_2", name: "x", arguments: '{"b":1}' },
    ],
    "Sure.",
  ],
  ['<tool_call>{"name":"get_order","arguments":{}}', [{ id: "call_0", name: "get_order", arguments: "{}" }], ""],
  ["plain", [], "plain"],
])("calls written as text: %j", (text, calls, words) => {
  expect(parseTextToolCalls(text)).toEqual(calls);
  expect(withoutTextToolCalls(text)).toBe(words);
});

test.each([
  ["plain", "plain", null],
  ["<think>hm</think> Yes.", "Yes.", "<think>hm</think> Yes."],
  ["Yes.<think>and then", "Yes.", "Yes.<think>and then"],
  ["hm</think>Yes.", "Yes.", "hm</think>Yes."],
  ["<think>a</think>b<think>c</think>d", "bd", "<think>a</think>b<think>c</think>d"],
])("spokenText(%j)", (text, spoken, raw) => {
  expect(spokenText(text)).toEqual({ spoken, raw });
});

describe("OpenAI's Chat Completions", () => {
  const call = (index: number | undefined, id: string | undefined, name: string, given: string) => ({
    choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: given } }] } }],
  });

  test("a request says everything in the words of the API", () => {
    const request: ModelRequest = {
      messages: [
        { role: "system", content: "P" },
        { role: "assistant", content: "", tool_calls: [{ id: "c1", name: "a", arguments: '{"x":1}' }] },
        { role: "tool", content: "1", tool_call_id: "c1" },
      ],
      ...{ temperature: 0.8, maxTokens: 9, seed: 7, tools: [{ type: "function", function: { name: "a" } }] },
    };
    const settings = { ...SETTINGS, stream: true, thinking: false, extra: { top_p: 0.5 } };
    expect(openAiDialect.body(request, settings)).toEqual({
      ...{
        model: "m",
        temperature: 0.8,
        max_tokens: 9,
        seed: 7,
        stream: true,
        stream_options: { include_usage: true },
      },
      ...{ top_p: 0.5, chat_template_kwargs: { enable_thinking: false } },
      tools: [{ type: "function", function: { name: "a" } }],
      messages: [
        { role: "system", content: "P" },
        {
          ...{ role: "assistant", content: null },
          tool_calls: [{ id: "c1", type: "function", function: { name: "a", arguments: '{"x":1}' } }],
        },
        { role: "tool", content: "1", tool_call_id: "c1" },
      ],
    });
    const refused = new Set(["max_tokens", "temperature", "seed", "stream_options", "chat_template_kwargs"]);
    const { messages: _, tools: __, ...rest } = openAiDialect.body(request, { ...settings, refused });
    expect(rest).toEqual({ model: "m", max_completion_tokens: 9, stream: true, top_p: 0.5 });
  });

  test("an answer that comes whole", () => {
    const body = {
      choices: [
        {
          message: { content: "It is", tool_calls: [{ id: "c", function: { name: "a", arguments: { x: 1 } } }] },
          ...{ finish_reason: "length", logprobs: { content: [{ logprob: -0.5 }, { logprob: -0.25 }] } },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
    };
    expect(openAiDialect.read(body, SETTINGS)).toEqual({
      ...{ text: "It is", toolCalls: [{ id: "c", name: "a", arguments: '{"x":1}' }], finishReason: "length" },
      ...{ inputTokens: 9, cachedInputTokens: 4, outputTokens: 3, logprob: -0.75, tokenLogprobs: [-0.5, -0.25] },
    });
    expect(() => openAiDialect.read({ choices: [] }, SETTINGS)).toThrow("without choices");
  });

  test("an answer in pieces is the same however they are cut", () => {
    const body = events(
      { choices: [{ delta: { role: "assistant", content: "Ich prüfe " } }] },
      { choices: [{ delta: { content: "A1001 😀" } }] },
      call(0, "c1", "get", ""),
      call(0, undefined, "", '{"id":'),
      call(1, "c2", "put", "{}"),
      call(0, undefined, "", '"ä"}'),
      { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
      "[DONE]",
    );
    const whole = {
      ...{ text: "Ich prüfe A1001 😀", finishReason: "tool_calls", inputTokens: 5, outputTokens: 2 },
      toolCalls: [
        { id: "c1", name: "get", arguments: '{"id":"ä"}' },
        { id: "c2", name: "put", arguments: "{}" },
      ],
    };
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 12 }), fc.boolean(), (cuts, isCrlf) => {
        expect(streamed(openAiDialect, isCrlf ? body.replaceAll("\n", "\r\n") : body, cuts)).toEqual(whole);
      }),
    );
  });

  test("calls without an index or an id are told apart by where they begin", () => {
    const body = events(
      call(undefined, "", "get", '{"a"'),
      call(undefined, "", "", ":1}"),
      call(undefined, "", "put", "{}"),
      "[DONE]",
    );
    expect(streamed(openAiDialect, body).toolCalls).toEqual([
      { id: "call_0", name: "get", arguments: '{"a":1}' },
      { id: "call_1", name: "put", arguments: "{}" },
    ]);
  });

  test("a stream that ends in the middle is no answer, and one that only forgets its last line is", () => {
    const words = { choices: [{ delta: { content: "It is" } }] };
    expect(() => streamed(openAiDialect, events(words))).toThrow("ended in the middle");
    const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
    expect(streamed(openAiDialect, events(words, end).trimEnd()).text).toBe("It is");
  });

  test.each([
    [{ message: "Rate limit", type: "rate_limit_error" }, "limited"],
    [{ message: "You exceeded your current quota", code: "insufficient_quota" }, "quota"],
    [{ message: "This model's maximum context length is 10 tokens" }, "overflow"],
    [{ message: "The engine died" }, "broken"],
  ])("an error in the stream %j is %s", (error, kind) => {
    expect(() => streamed(openAiDialect, events({ error }))).toThrow(expect.objectContaining({ kind }));
  });

  test("thoughts and refusals are told apart from words", () => {
    const of = (message: object, settings = SETTINGS) =>
      openAiDialect.read({ choices: [{ message, finish_reason: "stop" }] }, settings);
    expect(of({ content: "<think>hm</think>Yes." })).toMatchObject({ text: "Yes.", rawText: "<think>hm</think>Yes." });
    expect(of({ content: "Yes.", reasoning_content: "hm" })).toMatchObject({ text: "Yes.", reasoning: "hm" });
    expect(of({ content: null, refusal: "I cannot." })).toEqual({ text: "I cannot.", finishReason: "refusal" });
    const text = 'I look.<tool_call>{"name":"get","arguments":{}}</tool_call>';
    expect(of({ content: text }).toolCalls).toBeUndefined();
    expect(of({ content: text }, { ...SETTINGS, textToolCalls: true })).toMatchObject({
      ...{ text: "I look.", rawText: text, toolCalls: [{ id: "call_0", name: "get", arguments: "{}" }] },
    });
  });
});

describe("Anthropic's Messages", () => {
  test("a conversation in the words of the API", () => {
    const request: ModelRequest = {
      messages: [
        { role: "system", content: "P" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Hi" },
        {
          ...{ role: "assistant", content: "" },
          tool_calls: [
            { id: "c1", name: "a", arguments: '{"x":1}' },
            { id: "c2", name: "b", arguments: "{}" },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "1" },
        { role: "tool", tool_call_id: "c2", content: "2" },
      ],
      temperature: 1.05,
    };
    expect(anthropicDialect.body(request, SETTINGS)).toEqual({
      ...{ model: "m", max_tokens: 1024, system: "P", temperature: 1 },
      messages: [
        { role: "user", content: [{ type: "text", text: "(hi)" }] },
        { role: "assistant", content: [{ type: "text", text: "Hello" }] },
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "c1", name: "a", input: { x: 1 } },
            { type: "tool_use", id: "c2", name: "b", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "1" },
            { type: "tool_result", tool_use_id: "c2", content: "2" },
          ],
        },
      ],
    });
  });

  test("tools stand with their schema, and arguments that were no JSON as they were written", () => {
    const tools = [{ type: "function", function: { name: "a", description: "d" } }];
    const call = { id: "c", name: "a", arguments: "{id: A1" };
    const messages = [{ role: "assistant" as const, content: "x", tool_calls: [call] }];
    const body = anthropicDialect.body({ messages, tools }, { ...SETTINGS, refused: new Set(["temperature"]) });
    expect(body.tools).toEqual([{ name: "a", description: "d", input_schema: { type: "object", properties: {} } }]);
    expect(JSON.stringify(body.messages)).toContain('"input":{"__unparsed__":"{id: A1"}');
  });

  const stream = events(
    { type: "message_start", message: { usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "ping" },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "I look." } },
    { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name: "get", input: {} } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"id":' } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '"A1"}' } },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 12 } },
    { type: "message_stop" },
  );
  const whole = {
    ...{
      text: "I look.",
      reasoning: "hm",
      finishReason: "tool_calls",
      inputTokens: 7,
      cachedInputTokens: 2,
      outputTokens: 12,
    },
    toolCalls: [{ id: "t", name: "get", arguments: '{"id":"A1"}' }],
  };

  test("an answer in pieces, and the same one whole", () => {
    expect(streamed(anthropicDialect, stream)).toEqual(whole);
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "t", name: "get", input: { id: "A1" } },
    ];
    const usage = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 12 };
    expect(anthropicDialect.read({ content, stop_reason: "tool_use", usage }, SETTINGS)).toEqual(whole);
  });

  test("a stream that ends in the middle, and one with an error, are no answers", () => {
    expect(() => streamed(anthropicDialect, stream.slice(0, stream.indexOf('data: {"type":"message_delta"')))).toThrow(
      "ended in the middle",
    );
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => streamed(anthropicDialect, events(error))).toThrow(expect.objectContaining({ kind: "limited" }));
  });

  test("a refusal is one by its stop reason", () => {
    expect(anthropicDialect.read({ content: [], stop_reason: "refusal" }, SETTINGS)).toEqual({
      text: "",
      finishReason: "refusal",
    });
  });
});
