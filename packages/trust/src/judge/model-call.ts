/** A turn sent to a language model. */
export interface ModelMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** What a caller of a model asks for. `jsonSchema` is a wish: the reply is parsed strictly either way. */
export interface ModelCallOptions {
  temperature?: number;
  maxTokens?: number;
  jsonSchema?: Record<string, unknown>;
  signal?: AbortSignal;
}

export interface ModelReply {
  text: string;
  inputTokens?: number;
  outputTokens?: number;
  finishReason?: string;
}

/** What a model says of itself. Without a name its verdicts have no version, and none of them can be reused. */
export interface ModelInfo {
  modelName?: string;
}

/** A language model as a parameter: this package opens no connection. A bare string is a reply without its counts. */
export type ModelCall = ((
  messages: readonly ModelMessage[],
  options?: ModelCallOptions,
) => Promise<ModelReply | string>) &
  ModelInfo;

/** A reply with its counts, whichever way it was given. */
export function replyOf(reply: ModelReply | string): ModelReply {
  return typeof reply === "string" ? { text: reply } : reply;
}
