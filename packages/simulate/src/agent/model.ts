import type { ToolSchema } from "@while/schema";

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
}

export interface ModelAnswer {
  text: string;
  /** What the model wrote, where something was taken out of `text`: reasoning, calls written as text. */
  rawText?: string;
  toolCalls?: readonly ModelToolCall[];
  /** `stop`, `tool_calls`, `length`, or the provider's own word. */
  finishReason?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Sum over the tokens of the answer. */
  logprob?: number;
  tokenLogprobs?: readonly number[];
}

/** A language model as a parameter: writer of situations, simulated person, or the agent itself. */
export type Model = ((request: ModelRequest) => Promise<ModelAnswer>) & { modelName?: string };

/** Who used a model in a run. */
export type ModelRole = "agent" | "user" | "writer" | "judge";

/** What one call used. */
export interface ModelUse {
  role: ModelRole;
  model: string;
  inputTokens: number;
  outputTokens: number;
}
