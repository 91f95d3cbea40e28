import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { functionSchemas } from "./anthropic-messages.ts";
import { isMessages } from "./chat-row.ts";
import type { RequestRecord } from "./session-reader.ts";

/** Keys of a request beside `messages`, `system` and `tools`: what tells them from the other keys of a line. */
const REQUEST_KEYS: ReadonlySet<string> = new Set([
  ...["model", "max_tokens", "temperature", "top_p", "top_k", "stop_sequences", "stream", "tool_choice", "thinking"],
  ...["metadata", "service_tier", "container", "mcp_servers", "context_management", "betas", "output_config"],
]);

/** Names under which logs hold a request and its response. */
const PAIRS: readonly (readonly [request: string, response: string])[] = [
  ["request", "response"],
  ["input", "output"],
];

/** Whether a record is a request, a response, a pair of them or a line to train on, in Anthropic's spelling. */
export function isAnthropic(record: SourceObject): boolean {
  if (isReply(record)) return true;
  if (isSpelledRequest(record)) return true;
  for (const [asked, answered] of PAIRS) {
    const request = record[asked];
    if (!isObject(request) || !Array.isArray(request.messages)) continue;
    if (isReply(record[answered]) || isFailure(record[answered]) || isSpelledRequest(request)) return true;
  }
  return Array.isArray(record.messages) && isReply(record.response);
}

/** @throws SchemaError `bad_value` without messages */
export function anthropicRecord(record: SourceObject): RequestRecord {
  if (isReply(record)) return { ...NOTHING_ASKED, ...answerOf(record), envelope: { response: withoutContent(record) } };
  const pair = PAIRS.find(([asked]) => isObject(record[asked]) && Array.isArray(record[asked].messages));
  if (pair !== undefined) {
    const { [pair[0]]: request, [pair[1]]: response, ...rest } = record;
    const { messages, system, tools, ...settings } = request as SourceObject;
    return asRecord({ messages, system, tools }, settings, response, rest, true);
  }
  const { messages, system, tools, response, ...others } = record;
  const settings = keysOf(others, (key) => REQUEST_KEYS.has(key));
  const rest = keysOf(others, (key) => !REQUEST_KEYS.has(key));
  const isRequest = "model" in settings || "max_tokens" in settings || isReply(response) || isFailure(response);
  if (isRequest) return asRecord({ messages, system, tools }, settings, response, rest, true);
  // A line to train on is the user's own: its keys stay where they were.
  return asRecord(
    { messages, system, tools },
    {},
    undefined,
    response === undefined ? others : { ...others, response },
    false,
  );
}

const NOTHING_ASKED: RequestRecord = {
  rules: [],
  messages: [],
  replies: [],
  tools: null,
  envelope: {},
  rest: {},
  isRequest: false,
  error: null,
};

function asRecord(
  { messages, system, tools }: SourceObject,
  settings: SourceObject,
  response: unknown,
  rest: SourceObject,
  isRequest: boolean,
): RequestRecord {
  if (!isMessages(messages)) {
    throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Write [{role, content}, …].");
  }
  const envelope = { ...settings };
  if (response !== undefined) envelope.response = isReply(response) ? withoutContent(response) : response;
  return {
    ...{ messages, envelope, rest, isRequest },
    rules: system === undefined || system === null ? [] : [{ role: "system", content: system }],
    tools: Array.isArray(tools) ? functionSchemas(tools) : null,
    ...answerOf(response),
  };
}

function answerOf(response: unknown): Pick<RequestRecord, "replies" | "error"> {
  if (isFailure(response)) return { replies: [], error: response.error };
  if (!isReply(response)) return { replies: [], error: null };
  return { replies: [{ role: "assistant", content: response.content }], error: null };
}

function withoutContent({ content: _, ...envelope }: SourceObject): SourceObject {
  return envelope;
}

interface Reply extends SourceObject {
  type: "message";
  content: unknown[];
}

/** A response: `{type: "message", role: "assistant", content: […]}`. */
function isReply(value: unknown): value is Reply {
  return isObject(value) && value.type === "message" && Array.isArray(value.content) && !isItem(value.content[0]);
}

/** OpenAI's Responses API has messages among its items as well. */
function isItem(block: unknown): boolean {
  return isObject(block) && (block.type === "output_text" || block.type === "input_text");
}

/** What the API answers when it fails: `{type: "error", error: {type, message}}`. */
function isFailure(value: unknown): value is SourceObject {
  return isObject(value) && value.type === "error" && isObject(value.error);
}

/** Messages beside rules of their own, tools with an `input_schema`, or blocks that call tools. */
function isSpelledRequest({ messages, tools, ...rest }: SourceObject): boolean {
  if (!Array.isArray(messages)) return false;
  if ("system" in rest) return true;
  if (Array.isArray(tools) && tools.some((tool) => isObject(tool) && "input_schema" in tool)) return true;
  return messages.some(
    (message) => isObject(message) && Array.isArray(message.content) && message.content.some(isToolBlock),
  );
}

function isToolBlock(block: unknown): boolean {
  return isObject(block) && typeof block.type === "string" && /(^|_)tool_(use|result)$/.test(block.type);
}

function keysOf(record: SourceObject, isWanted: (key: string) => boolean): SourceObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isWanted(key)));
}
