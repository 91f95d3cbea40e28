import type { ToolSchema } from "@while/schema";
import type { EndpointReport } from "../endpoint/endpoint-report.ts";

/** A call of a tool as a model asks for it; `arguments` is the text it wrote, which may be no JSON. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A turn of a conversation with a model. */
export interface ModelTurn {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls?: readonly ModelToolCall[];
  tool_call_id?: string;
}

export interface ModelRequest {
  messages: readonly ModelTurn[];
  tools?: readonly ToolSchema[];
  temperature?: number;
  maxTokens?: number;
  seed?: number;
  signal?: AbortSignal;
  /**
   * Which of several calls that ask the same this is: a rollout and the number of the call in it. A cache of completions
   * answers a call with the answer to that very call, so that repeats stay independent.
   */
  sample?: string;
  /** Waits of a call for its turn go through it: a rollout's time does not run on meanwhile. */
  waiting?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** W3C trace context of the span around this call, sent along to a model behind HTTP. */
  traceparent?: string;
}

export interface ModelAnswer {
  text: string;
  /** What the model wrote, where something was taken out of `text`: reasoning, calls written as text. */
  rawText?: string;
  toolCalls?: readonly ModelToolCall[];
  /** What the model thought, where the provider keeps it apart from what it said. */
  reasoning?: string;
  /** `stop`, `tool_calls`, `length`, `content_filter`, `refusal`, or the provider's own word. */
  finishReason?: string;
  inputTokens?: number;
  /** Those of `inputTokens` that the provider had read before and prices lower. */
  cachedInputTokens?: number;
  outputTokens?: number;
  /** What the call cost in USD; null when no price is known. */
  costUsd?: number | null;
  /** The answer is that of an earlier run, and nobody was called. */
  isReplayed?: boolean;
  /** Sum over the tokens of the answer. */
  logprob?: number;
  tokenLogprobs?: readonly number[];
}

/** A language model as a parameter: writer of situations, simulated person, or the agent itself. */
export type Model = ((request: ModelRequest) => Promise<ModelAnswer>) & {
  modelName?: string;
  /** Who serves it, for spans: `openai`, `ollama`, a host. */
  provider?: string;
  /** The most that a call could cost in USD; null when no price is known. */
  mostUsd?: (request: ModelRequest) => number | null;
  /** What came of its calls over HTTP so far, where there are some. */
  report?: () => EndpointReport;
};

/** Who used a model in a run. */
export type ModelRole = "agent" | "user" | "writer" | "judge";

/** What one call used. */
export interface ModelUse {
  role: ModelRole;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /** In USD; null or absent when it is not known. */
  costUsd?: number | null;
  /** Answered by a cache of completions: used before, and not paid again. */
  isReplayed?: boolean;
}

/** What an answer used, for the meter. */
export function useOf(answer: ModelAnswer, role: ModelRole, { modelName }: Model): ModelUse {
  const { inputTokens = 0, outputTokens = 0, costUsd, isReplayed } = answer;
  return {
    ...{ role, model: modelName || "model", inputTokens, outputTokens },
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(isReplayed === true ? { isReplayed } : {}),
  };
}
