import { isObject, textOf } from "@while/schema";
import type { ModelAnswer, ModelToolCall, ModelTurn } from "../agent/model.ts";
import { CallFailure, failureInStream } from "./call-failure.ts";
import type { AnswerStream, Dialect, DialectSettings } from "./dialect.ts";
import { spokenText } from "./spoken-text.ts";
import { parseTextToolCalls, withoutTextToolCalls } from "./text-tool-calls.ts";

/** OpenAI's Chat Completions, as Ollama, vLLM and most other servers speak them too. */
export const openAiDialect: Dialect = {
  headers: (key) => (key === null ? {} : { authorization: `Bearer ${key}` }),

  body({ messages, tools = [], temperature, maxTokens, seed }, settings) {
    const { model, stream, logprobs, thinking, extra, refused } = settings;
    // OpenAI's newer models know the budget by its newer name alone, and other servers by the old one.
    const budget = refused.has("max_tokens") ? "max_completion_tokens" : "max_tokens";
    const body: Record<string, unknown> = {
      model,
      messages: messages.map(wireMessage),
      ...(tools.length > 0 ? { tools } : {}),
      ...(maxTokens === undefined ? {} : { [budget]: maxTokens }),
      ...(stream ? { stream: true } : {}),
    };
    const optional: Record<string, unknown> = {
      temperature,
      // Some servers hold it in a signed word of 32 bits.
      seed: seed === undefined ? undefined : seed % 2 ** 31,
      stream_options: stream ? { include_usage: true } : undefined,
      logprobs: logprobs || undefined,
      chat_template_kwargs: thinking === undefined ? undefined : { enable_thinking: thinking },
    };
    for (const [name, value] of Object.entries(optional)) {
      if (value !== undefined && !refused.has(name)) body[name] = value;
    }
    return { ...body, ...extra };
  },

  optional: ["max_tokens", "temperature", "seed", "stream_options", "logprobs", "chat_template_kwargs"],

  read(body, settings) {
    const choice: unknown = isObject(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
    if (!isObject(choice) || !isObject(choice.message)) {
      throw new CallFailure("broken", "the server answered without choices");
    }
    const { message } = choice;
    const parts = new Parts();
    parts.add(message);
    parts.end(choice.finish_reason, choice.logprobs);
    parts.use(isObject(body) ? body.usage : undefined);
    return parts.answer(settings);
  },

  open: (settings) => new OpenAiStream(settings),
};

function wireMessage({ role, content, tool_calls, tool_call_id }: ModelTurn): Record<string, unknown> {
  if (tool_calls !== undefined && tool_calls.length > 0) {
    const calls = tool_calls.map(({ id, name, arguments: given }) => ({
      ...{ id, type: "function", function: { name, arguments: given } },
    }));
    return { role, content: content === "" ? null : content, tool_calls: calls };
  }
  return { role, content, ...(tool_call_id === undefined ? {} : { tool_call_id }) };
}

interface CallInParts {
  id: string;
  name: string;
  arguments: string;
}

/** An answer, put together from its pieces; a whole one is one piece. */
class Parts {
  private text = "";
  private reasoning = "";
  private refusal = "";
  private finish = "";
  private readonly calls: CallInParts[] = [];
  private readonly logprobs: number[] = [];
  private usage: Record<string, unknown> = {};

  get isFinished(): boolean {
    return this.finish !== "";
  }

  add(piece: Record<string, unknown>): void {
    this.text += contentText(piece.content);
    this.reasoning += textIn(piece.reasoning_content) || textIn(piece.reasoning);
    this.refusal += textIn(piece.refusal);
    if (!Array.isArray(piece.tool_calls)) return;
    for (const call of piece.tool_calls) if (isObject(call)) this.addCall(call);
  }

  private addCall(call: Record<string, unknown>): void {
    const { index, id } = call;
    const inner = isObject(call.function) ? call.function : {};
    const name = textIn(inner.name);
    // Some servers send no index: a piece with an id or a name of its own begins a call.
    const at =
      typeof index === "number" ? index : name !== "" || textIn(id) !== "" ? this.calls.length : this.calls.length - 1;
    this.calls[at] ??= { id: "", name: "", arguments: "" };
    const own = this.calls[at];
    own.id ||= textIn(id);
    own.name += name;
    own.arguments +=
      typeof inner.arguments === "string"
        ? inner.arguments
        : isObject(inner.arguments)
          ? JSON.stringify(inner.arguments)
          : "";
  }

  end(finish: unknown, logprobs: unknown): void {
    this.finish ||= textIn(finish);
    if (!isObject(logprobs) || !Array.isArray(logprobs.content)) return;
    for (const token of logprobs.content) {
      if (isObject(token) && typeof token.logprob === "number") this.logprobs.push(token.logprob);
    }
  }

  use(usage: unknown): void {
    if (isObject(usage)) this.usage = usage;
  }

  answer({ textToolCalls }: DialectSettings): ModelAnswer {
    const native = this.calls.filter((call) => call !== undefined).map(withId);
    const read = textToolCalls && native.length === 0 ? parseTextToolCalls(this.text) : [];
    const calls = native.length > 0 ? native : read;
    const { spoken, raw } = spokenText(this.text);
    const words = read.length > 0 ? withoutTextToolCalls(spoken) : spoken;
    const isRefusal = this.refusal !== "" && words === "";
    const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = this.usage;
    const cached = isObject(details) ? details.cached_tokens : undefined;
    return {
      text: isRefusal ? this.refusal : words,
      ...(raw === null && read.length === 0 ? {} : { rawText: this.text }),
      ...(this.reasoning === "" ? {} : { reasoning: this.reasoning }),
      ...(calls.length > 0 ? { toolCalls: calls } : {}),
      ...(isRefusal
        ? { finishReason: "refusal" }
        : this.finish === ""
          ? {}
          : { finishReason: FINISH.get(this.finish) ?? this.finish }),
      ...(typeof input === "number" ? { inputTokens: input } : {}),
      ...(typeof cached === "number" && cached > 0 ? { cachedInputTokens: cached } : {}),
      ...(typeof output === "number" ? { outputTokens: output } : {}),
      ...(this.logprobs.length > 0 ? { logprob: sumOf(this.logprobs), tokenLogprobs: this.logprobs } : {}),
    };
  }
}

/** Words of servers that mean one of the usual ones. */
const FINISH: ReadonlyMap<string, string> = new Map([
  ["function_call", "tool_calls"],
  ["max_tokens", "length"],
  ["eos", "stop"],
]);

class OpenAiStream implements AnswerStream {
  private readonly settings: DialectSettings;
  private readonly parts = new Parts();
  isDone = false;

  constructor(settings: DialectSettings) {
    this.settings = settings;
  }

  push(data: string): void {
    if (data.trim() === "[DONE]") {
      this.isDone = true;
      return;
    }
    const event = jsonEvent(data);
    if (event.error !== undefined && event.error !== null) throw failureInStream(event.error);
    const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
    if (isObject(choice)) {
      const piece = choice.delta ?? choice.message;
      if (isObject(piece)) this.parts.add(piece);
      this.parts.end(choice.finish_reason, choice.logprobs);
    }
    this.parts.use(event.usage);
  }

  answer(): ModelAnswer {
    if (!this.isDone && !this.parts.isFinished) {
      throw new CallFailure("broken", "the stream ended in the middle of an answer");
    }
    return this.parts.answer(this.settings);
  }
}

/** The object that an event holds. @throws CallFailure `broken` */
export function jsonEvent(data: string): Record<string, unknown> {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch (cause) {
    throw new CallFailure("broken", "an event of the stream is no JSON", { cause });
  }
  if (!isObject(event)) throw new CallFailure("broken", "an event of the stream is no object");
  return event;
}

/** A call without an id is named by its place, so that its answer finds it. */
function withId(call: CallInParts, index: number): ModelToolCall {
  return call.id === "" ? { ...call, id: `call_${index}` } : call;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text as text, or as a list of parts. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textIn(content);
  return content.map((part) => (isObject(part) ? textOf(part.text) : textOf(part))).join("");
}

/** To six digits: what is summed are natural logarithms with about as many. */
function sumOf(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toFixed(6));
}
