import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownKeys } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import { type BatchFormat, BatchReader, type BatchResult } from "./batch-reader.ts";
import { chatRow, contextOf, imported, isMessages, toolsOf } from "./chat-row.ts";
import type { Format, ReaderContext } from "./format.ts";
import { RESPONSES_API } from "./openai-responses.ts";
import { SessionReader } from "./session-reader.ts";

/**
 * Output and error files of OpenAI's Batch API, for chat completions, completions and responses; with the lines of its
 * input in the same file, if they are at hand. What a request and its response say besides is under `openai_batch`.
 */
export const openaiBatch: Format = {
  name: "openai-batch",
  title: "a batch of OpenAI",
  detect: (record) =>
    "custom_id" in record &&
    (("method" in record && "url" in record && isObject(record.body)) || ("response" in record && "error" in record)),
  open: (context) => new BatchReader(OPENAI, context),
};

const OPENAI: BatchFormat = {
  name: "openai-batch",
  title: "OpenAI",
  requestOf: ({ body }) => (isObject(body) ? body : null),
  resultOf,
  rowsOf,
  unanswered: (request, context) =>
    "input" in request ? heldBy({ request }, context)[0]! : rowOfChat(request, [], context),
};

/** Status codes from here on are errors. */
const FIRST_ERROR = 400;

function resultOf({ custom_id: _, response, error, ...rest }: SourceObject): BatchResult {
  const { body, ...envelope } = isObject(response) ? response : {};
  const answer = isObject(body) ? body : null;
  const { status_code: status } = envelope;
  const isFailure = (typeof status === "number" && status >= FIRST_ERROR) || (error !== null && error !== undefined);
  const failure = error ?? answer?.error ?? (typeof status === "number" ? `status ${status}` : "no response");
  const more = Object.keys(envelope).length === 0 ? rest : { ...rest, response: envelope };
  if (isFailure || answer === null) return { response: null, error: failure, rest: more };
  return { response: answer, error: null, rest: more };
}

function rowsOf(request: SourceObject | null, response: SourceObject, context: ReaderContext): readonly Row[] {
  if (response.object === "response") return heldBy({ request: request ?? {}, response }, context);
  const { choices, usage, ...envelope } = response;
  if (!Array.isArray(choices)) {
    context.skip("no_answer");
    return [];
  }
  return choices.filter(isObject).map((choice) => {
    const { message, text, finish_reason: reason, ...rest } = choice;
    const said = isObject(message) ? { role: "assistant", ...message } : { role: "assistant", content: textOf(text) };
    const row = rowOfChat(request, [said], context);
    if (typeof response.model === "string") row.model_version = response.model;
    if (typeof reason === "string") row.finish_reason = reason;
    const used = choices.length === 1 ? usageOf(usage) : null;
    if (used !== null) row.usage = used;
    const kept = isObject(row.openai_batch) ? row.openai_batch : {};
    row.openai_batch = { ...kept, response: { ...envelope, usage }, choice: rest };
    return row;
  });
}

/** Requests and responses of the Responses API are read by its own reader. */
function heldBy(record: SourceObject, context: ReaderContext): readonly Row[] {
  const reader = new SessionReader({ ...RESPONSES_API, name: "openai-batch" }, context);
  return [...reader.read(record), ...reader.held()];
}

function rowOfChat(request: SourceObject | null, answer: readonly Message[], context: ReaderContext): Row {
  const { messages, prompt, tools, functions, ...settings } = request ?? {};
  const sent = isMessages(messages)
    ? messages
    : textOf(prompt) === ""
      ? []
      : [{ role: "user", content: textOf(prompt) }];
  if (request !== null && sent.length === 0) {
    throw new SchemaError(
      "bad_value",
      `A request of the batch asks nothing; its keys are ${shownKeys(request)}.`,
      "Give a batch of chat completions, completions or responses.",
    );
  }
  const told: readonly Message[] = [...sent, ...answer];
  const row: Row = { ...chatRow(told, "openai-batch", context), ...toolsOf({ tools, functions }) };
  const sampling: Sampling = {};
  for (const [key, name] of SAMPLING) if (typeof settings[key] === "number") sampling[name] = settings[key];
  if (Object.keys(sampling).length > 0) row.sampling = sampling;
  if (typeof settings.model === "string") row.model_version = settings.model;
  if (request !== null) row.openai_batch = { request: settings };
  return request === null ? row : imported(row, {}, contextOf(told), "openai-batch", context);
}

const SAMPLING: readonly (readonly [key: string, name: string])[] = [
  ["temperature", "temperature"],
  ["max_tokens", "max_tokens"],
  ["max_completion_tokens", "max_tokens"],
  ["top_p", "top_p"],
  ["seed", "seed"],
];

function usageOf(usage: unknown): SourceObject | null {
  if (!isObject(usage)) return null;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return typeof input === "number" && typeof output === "number"
    ? { input_tokens: input, output_tokens: output }
    : null;
}
