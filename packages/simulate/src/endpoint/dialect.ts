import type { Json } from "@while/schema";
import type { ModelAnswer, ModelRequest } from "../agent/model.ts";

/** How a request is worded, beside what it asks. */
export interface DialectSettings {
  model: string;
  stream: boolean;
  logprobs: boolean;
  /** Reads calls that the model wrote as text. */
  textToolCalls: boolean;
  /** Turns a model's thinking on or off, where its template knows that. */
  thinking: boolean | undefined;
  /** Merged into the body, last. */
  extra: Readonly<Record<string, Json>>;
  /** Parameters that this server has refused by name. */
  refused: ReadonlySet<string>;
}

/** The API of a server: its headers, its requests, its answers. */
export interface Dialect {
  headers(key: string | null): Record<string, string>;
  body(request: ModelRequest, settings: DialectSettings): Record<string, unknown>;
  /** Parameters that may be left out, or named otherwise, when the server refuses them by name. */
  optional: readonly string[];
  /** An answer that came whole. @throws CallFailure for one that is none */
  read(body: unknown, settings: DialectSettings): ModelAnswer;
  /** An answer that comes in pieces. */
  open(settings: DialectSettings): AnswerStream;
}

export interface AnswerStream {
  /** Takes the data of one event. @throws CallFailure for an error in the stream */
  push(data: string): void;
  /** Whether the answer is whole: nothing more has to come. */
  readonly isDone: boolean;
  /** @throws CallFailure `broken` when the stream ended in the middle of an answer */
  answer(): ModelAnswer;
}
