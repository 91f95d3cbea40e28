import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling, ToolSchema } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, ReaderContext } from "./format.ts";
import { areResponseItems, itemMessageKey, messagesOfItems } from "./response-items.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { type RequestRecord, type SessionFormat, SessionReader } from "./session-reader.ts";

/**
 * Requests and responses of OpenAI's Responses API: response objects, pairs under `request`/`response`, and records
 * that hold items under `input`, `output` or `items`. Items become messages; what is no part of a conversation, and
 * all that requests and responses say besides, is under `openai_responses.requests`, in their order.
 *
 * A row that says it is one (`scenario_id`, `schema_version`) is read as a row.
 */
export const openaiResponses: Format = {
  name: "openai-responses",
  title: "items of the OpenAI Responses API",
  detect: (record) => !saysItIsARow(record) && isResponses(record),
  open: (context) => new SessionReader(RESPONSES_API, context),
};

/** Requests and responses of the API, for readers that find them in another wrapping. */
export const RESPONSES_API: SessionFormat = {
  name: "openai-responses",
  recordOf,
  keyOf: itemMessageKey,
  messagesOf: (message) => [message],
  askOf: withoutIds,
  factsOf,
};

/** Keys of a request or a response beside its items, instructions and tools: what tells them from a record's own. */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  ...["id", "object", "created_at", "completed_at", "model", "status", "error", "incomplete_details", "usage"],
  ...["temperature", "top_p", "top_logprobs", "max_output_tokens", "max_tool_calls", "metadata", "user", "background"],
  ...["parallel_tool_calls", "previous_response_id", "conversation", "reasoning", "service_tier", "store", "stream"],
  ...["text", "tool_choice", "truncation", "include", "prompt", "prompt_cache_key", "safety_identifier", "billing"],
]);

function isResponses(record: SourceObject): boolean {
  if (isResponse(record) || isResponse(record.response)) return true;
  const request = record.request;
  if (isObject(request) && areResponseItems(request.input)) return true;
  return areResponseItems(record.input) || areResponseItems(record.output) || areResponseItems(record.items);
}

function isResponse(value: unknown): value is SourceObject & { object: "response" } {
  return isObject(value) && value.object === "response";
}

function recordOf(record: SourceObject, context: ReaderContext): RequestRecord {
  const { request, response, ...rest } = record;
  if (isObject(request)) return called(request, isObject(response) ? response : null, rest, context);
  if (isResponse(response)) {
    const { asked, own } = parted(rest);
    return called(asked, response, own, context);
  }
  const { asked, own } = parted(record);
  const isCall = isResponse(record) || "model" in asked || "status" in asked;
  const { input, output, items, instructions, tools, ...envelope } = asked;
  const sent = { input: items ?? input, instructions, tools };
  // A record that is no call is the user's own: its keys stay where they were.
  if (!isCall) return called(sent, { output }, { ...own, ...envelope }, context, false);
  if (items !== undefined || output === undefined) return called({ ...sent, ...envelope }, null, own, context);
  return called(sent, { ...envelope, output }, own, context);
}

/** The keys of a request or a response, apart from the record's own. */
function parted(record: SourceObject): { asked: SourceObject; own: SourceObject } {
  const isAsked = (key: string) =>
    ENVELOPE_KEYS.has(key) || ["input", "output", "items", "instructions", "tools"].includes(key);
  const entries = Object.entries(record);
  return {
    asked: Object.fromEntries(entries.filter(([key]) => isAsked(key))),
    own: Object.fromEntries(entries.filter(([key]) => !isAsked(key))),
  };
}

function called(
  request: SourceObject,
  response: SourceObject | null,
  rest: SourceObject,
  context: ReaderContext,
  isRequest = true,
): RequestRecord {
  const { input, instructions, tools, ...settings } = request;
  const { output, instructions: echoed, tools: listed, ...answer } = response ?? {};
  const sent = messagesOfItems(itemsOf(input, "input"));
  const said = messagesOfItems(itemsOf(output, "output"));
  if (sent.messages.length + said.messages.length === 0 && !isObject(answer.error)) {
    throw new SchemaError(
      "bad_value",
      "The record has no items of a conversation.",
      "Write items under input or output.",
    );
  }
  const envelope: SourceObject = { ...settings };
  if (sent.others.length > 0) envelope.other_items = sent.others;
  if (response !== null) {
    const others = said.others.length > 0 ? { other_items: said.others } : {};
    if (Object.keys(answer).length > 0 || said.others.length > 0) envelope.response = { ...answer, ...others };
  }
  for (const { item } of [...sent.others, ...said.others]) {
    const kind = isObject(item) ? textOf(item.type) || "none" : typeof item;
    context.warn(`item:${kind}`, `Items of type ${kind} are no part of a conversation; they are kept beside the row.`);
  }
  const rules = instructions ?? echoed;
  const schemas = Array.isArray(tools) ? tools : Array.isArray(listed) ? listed : null;
  return {
    ...{ messages: sent.messages, replies: said.messages, envelope, rest, isRequest },
    rules: rulesOf(rules),
    tools: schemas === null ? null : schemas.map(functionSchema),
    error: answer.error ?? null,
    id: answer.id,
    previousId: settings.previous_response_id ?? answer.previous_response_id,
  };
}

function itemsOf(value: unknown, key: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [{ role: key === "input" ? "user" : "assistant", content: value }];
  if (Array.isArray(value)) return value;
  throw new SchemaError("bad_value", `${key} is neither a text nor a list of items.`, "Write a list of items.");
}

/** Instructions are a text or a list of items. */
function rulesOf(instructions: unknown): Message[] {
  if (typeof instructions === "string") return instructions === "" ? [] : [{ role: "system", content: instructions }];
  return Array.isArray(instructions) ? messagesOfItems(instructions).messages : [];
}

/** A function's schema stands flat beside its type; other tools stay as they are. */
function functionSchema(tool: unknown): ToolSchema {
  if (!isObject(tool) || tool.type !== "function" || isObject(tool.function)) return tool as ToolSchema;
  const { type, ...schema } = tool;
  return { type: "function", function: schema };
}

function withoutIds({ role, content, tool_calls, tool_call_id }: Message): Message {
  return {
    ...{ role, content },
    ...(tool_calls === undefined ? {} : { tool_calls }),
    ...(tool_call_id === undefined ? {} : { tool_call_id }),
  };
}

function factsOf(requests: readonly SourceObject[], messages: readonly Message[]): Partial<Row> {
  const facts: Partial<Row> = { openai_responses: { requests } };
  const request = requests.at(-1)!;
  const response = isObject(request.response) ? request.response : {};
  const model = response.model ?? request.model;
  if (typeof model === "string") facts.model_version = model;
  const sampling: Sampling = {};
  for (const [key, name] of SAMPLING) {
    const value = request[key] ?? response[key];
    if (typeof value === "number") sampling[name] = value;
  }
  if (Object.keys(sampling).length > 0) facts.sampling = sampling;
  const reason = finishReason(response, messages.at(-1));
  if (reason !== null) facts.finish_reason = reason;
  const usage = usageOf(requests);
  if (usage !== null) facts.usage = usage;
  return facts;
}

const SAMPLING: readonly (readonly [key: string, name: string])[] = [
  ["temperature", "temperature"],
  ["max_output_tokens", "max_tokens"],
  ["top_p", "top_p"],
];

/** null when the response does not say how it ended. */
function finishReason({ status, incomplete_details: details }: SourceObject, last: Message | undefined): string | null {
  if (isObject(details) && typeof details.reason === "string") {
    return details.reason === "max_output_tokens" ? "length" : details.reason;
  }
  if (status === "completed") return last?.tool_calls === undefined ? "stop" : "tool_calls";
  return typeof status === "string" ? status : null;
}

/** Tokens of all requests together; null when no response says any. */
function usageOf(requests: readonly SourceObject[]): SourceObject | null {
  let isSaid = false;
  let input = 0;
  let output = 0;
  for (const { response } of requests) {
    const usage = isObject(response) ? response.usage : null;
    if (!isObject(usage)) continue;
    isSaid = true;
    if (typeof usage.input_tokens === "number") input += usage.input_tokens;
    if (typeof usage.output_tokens === "number") output += usage.output_tokens;
  }
  return isSaid ? { input_tokens: input, output_tokens: output } : null;
}
