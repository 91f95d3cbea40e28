import { isObject, type ToolSchema, textOf } from "@while/schema";
import type { ModelAnswer, ModelToolCall, ModelTurn } from "../agent/model.ts";
import { CallFailure, failureInStream } from "./call-failure.ts";
import type { AnswerStream, Dialect } from "./dialect.ts";
import { jsonEvent } from "./openai-dialect.ts";

const VERSION = "2023-06-01";
/** The API wants a budget; this one holds where the caller names none. */
const MAX_TOKENS = 1024;

/** Anthropic's Messages. */
export const anthropicDialect: Dialect = {
  headers: (key) => ({ "anthropic-version": VERSION, ...(key === null ? {} : { "x-api-key": key }) }),

  body({ messages, tools = [], temperature, maxTokens = MAX_TOKENS }, { model, stream, extra, refused }) {
    const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
    return {
      model,
      max_tokens: maxTokens,
      ...(system.length > 0 ? { system: system.join("\n\n") } : {}),
      messages: anthropicMessages(messages),
      ...(temperature === undefined || refused.has("temperature")
        ? {}
        : { temperature: Math.min(1, Math.max(0, temperature)) }),
      ...(tools.length > 0 ? { tools: tools.map(anthropicTool) } : {}),
      ...(stream ? { stream: true } : {}),
      ...extra,
    };
  },

  optional: ["temperature"],

  read(body) {
    if (!isObject(body) || !Array.isArray(body.content))
      throw new CallFailure("broken", "the server answered without content");
    const blocks = new Blocks();
    for (const [index, block] of body.content.entries()) if (isObject(block)) blocks.start(index, block);
    blocks.end(body.stop_reason);
    blocks.use(body.usage);
    return blocks.answer();
  },

  open: () => new AnthropicStream(),
};

/**
 * A conversation as Anthropic's API takes it: the answers to calls follow in one message of the person, empty texts are
 * left out, and one that begins with the assistant gets a line `(hi)` before it, in the request alone.
 */
function anthropicMessages(turns: readonly ModelTurn[]): { role: string; content: Record<string, unknown>[] }[] {
  const messages: { role: string; content: Record<string, unknown>[] }[] = [];
  const add = (role: string, blocks: Record<string, unknown>[], joins = false): void => {
    if (blocks.length === 0) return;
    const last = messages.at(-1);
    if (joins && last?.role === role && last.content.every(({ type }) => type === "tool_result"))
      last.content.push(...blocks);
    else messages.push({ role, content: blocks });
  };
  for (const { role, content, tool_calls = [], tool_call_id } of turns) {
    const text = content === "" ? [] : [{ type: "text", text: content }];
    if (role === "system") continue;
    if (role === "tool") add("user", [{ type: "tool_result", tool_use_id: tool_call_id ?? "", content }], true);
    else if (role === "assistant") add("assistant", [...text, ...tool_calls.map(toolUse)]);
    else add("user", text);
  }
  return messages[0]?.role === "assistant"
    ? [{ role: "user", content: [{ type: "text", text: "(hi)" }] }, ...messages]
    : messages;
}

/** The API takes an object alone: arguments that were none stand in it as they were written. */
function toolUse({ id, name, arguments: given }: ModelToolCall): Record<string, unknown> {
  let input: unknown;
  try {
    input = given.trim() === "" ? {} : JSON.parse(given);
  } catch {
    input = undefined; // Told below.
  }
  return { type: "tool_use", id, name, input: isObject(input) ? input : { __unparsed__: given } };
}

function anthropicTool({ function: inner = {} }: ToolSchema): Record<string, unknown> {
  const { name, description, parameters } = inner;
  const input_schema = isObject(parameters) ? parameters : { type: "object", properties: {} };
  return { name, input_schema, ...(textOf(description) === "" ? {} : { description }) };
}

const STOP: ReadonlyMap<string, string> = new Map([
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
]);

interface Block {
  type: string;
  id: string;
  name: string;
  text: string;
  /** JSON of the arguments, in pieces. */
  json: string;
}

class Blocks {
  private readonly blocks: Block[] = [];
  private stop = "";
  private input: number | null = null;
  private cached = 0;
  private output: number | null = null;

  start(index: number, block: Record<string, unknown>): void {
    const { type, id, name, text, thinking, input } = block;
    const isCut = isObject(input) && Object.keys(input).length === 0;
    const json = input === undefined || isCut ? "" : JSON.stringify(input);
    this.blocks[index] = {
      type: textOf(type),
      id: textOf(id),
      name: textOf(name),
      text: textOf(text ?? thinking),
      json,
    };
  }

  add(index: number, delta: Record<string, unknown>): void {
    const block = this.blocks[index];
    if (block === undefined) return;
    block.text += textOf(delta.text) || textOf(delta.thinking);
    block.json += textOf(delta.partial_json);
  }

  get isFinished(): boolean {
    return this.stop !== "";
  }

  end(reason: unknown): void {
    this.stop = textOf(reason) || this.stop;
  }

  use(usage: unknown): void {
    if (!isObject(usage)) return;
    const count = (value: unknown) => (typeof value === "number" ? value : 0);
    if (typeof usage.input_tokens === "number") {
      this.cached = count(usage.cache_read_input_tokens);
      this.input = usage.input_tokens + this.cached + count(usage.cache_creation_input_tokens);
    }
    if (typeof usage.output_tokens === "number") this.output = usage.output_tokens;
  }

  answer(): ModelAnswer {
    const of = (type: string) => this.blocks.filter((block) => block?.type === type);
    const reasoning = of("thinking")
      .map(({ text }) => text)
      .join("");
    const calls = of("tool_use").map(({ id, name, json }, index) => ({
      id: id || `call_${index}`,
      name,
      arguments: json || "{}",
    }));
    return {
      text: of("text")
        .map(({ text }) => text)
        .join("")
        .trim(),
      ...(reasoning === "" ? {} : { reasoning }),
      ...(calls.length > 0 ? { toolCalls: calls } : {}),
      ...(this.stop === "" ? {} : { finishReason: STOP.get(this.stop) ?? this.stop }),
      ...(this.input === null ? {} : { inputTokens: this.input }),
      ...(this.cached > 0 ? { cachedInputTokens: this.cached } : {}),
      ...(this.output === null ? {} : { outputTokens: this.output }),
    };
  }
}

class AnthropicStream implements AnswerStream {
  private readonly blocks = new Blocks();
  isDone = false;

  push(data: string): void {
    const { type, message, index, content_block, delta, usage, error } = jsonEvent(data);
    const at = typeof index === "number" ? index : 0;
    if (type === "error") throw failureInStream(error);
    if (type === "message_start" && isObject(message)) this.blocks.use(message.usage);
    else if (type === "content_block_start" && isObject(content_block)) this.blocks.start(at, content_block);
    else if (type === "content_block_delta" && isObject(delta)) this.blocks.add(at, delta);
    else if (type === "message_delta") {
      if (isObject(delta)) this.blocks.end(delta.stop_reason);
      this.blocks.use(usage);
    } else if (type === "message_stop") this.isDone = true;
  }

  answer(): ModelAnswer {
    if (!this.isDone && !this.blocks.isFinished) {
      throw new CallFailure("broken", "the stream ended in the middle of an answer");
    }
    return this.blocks.answer();
  }
}
