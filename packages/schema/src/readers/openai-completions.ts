import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { isMessages, toolsOf } from "./chat-row.ts";
import type { Format, ReaderContext } from "./format.ts";
import { itemMessageKey } from "./response-items.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { type RequestRecord, type SessionFormat, SessionReader } from "./session-reader.ts";

/**
 * Requests to OpenAI's Chat Completions API, which many servers speak, with what came back, under `request`/`response` or
 * `input`/`output`. An agent sends its conversation again with every turn, and those turns are one row. What a request
 * and its response say besides is under `openai_completions.requests`, in their order.
 *
 * Of several answers to one request the first is the conversation's, which is said; the others stay beside it.
 */
export const openaiCompletions: Format = {
  name: "openai-completions",
  title: "requests to OpenAI's Chat Completions API and what came back",
  detect: (record) => !saysItIsARow(record) && pairOf(record) !== null,
  open: (context) => new SessionReader(COMPLETIONS_API, context),
};

const COMPLETIONS_API: SessionFormat = {
  name: "openai-completions",
  recordOf,
  // What was answered without a text is sent again with null, with "" or without the key.
  keyOf: (message) => itemMessageKey({ ...message, content: message.content ?? "" }),
  messagesOf: (message) => [message],
  askOf: ({ role, content }) => ({ role, content }),
  factsOf,
};

/** Names under which logs hold a request and its response. */
const PAIRS: readonly (readonly [request: string, response: string])[] = [
  ["request", "response"],
  ["input", "output"],
];

function pairOf(record: SourceObject): (typeof PAIRS)[number] | null {
  const isPair = ([asked, answered]: (typeof PAIRS)[number]) => {
    const { [asked]: request, [answered]: response } = record;
    return isObject(request) && Array.isArray(request.messages) && isObject(response) && isAnswer(response);
  };
  return PAIRS.find(isPair) ?? null;
}

function isAnswer(response: SourceObject): boolean {
  const { choices, error } = response;
  if (Array.isArray(choices)) return choices.every((choice) => isObject(choice) && isObject(choice.message));
  return isObject(error) && typeof error.message === "string";
}

function recordOf(record: SourceObject, context: ReaderContext): RequestRecord {
  const [asked, answered] = pairOf(record) ?? PAIRS[0]!;
  const { [asked]: request, [answered]: response, ...rest } = record;
  const { messages, tools: _, functions: __, ...settings } = isObject(request) ? request : {};
  if (!isMessages(messages)) {
    throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Write [{role, content}, …].");
  }
  const { choices, ...answer } = isObject(response) ? response : {};
  const [first, ...others] = Array.isArray(choices) ? choices.filter(isObject) : [];
  if (others.length > 0) {
    context.warn(
      "several_answers",
      `Requests were answered ${others.length + 1} times: a row has the first answer, openai_completions.requests all.`,
    );
  }
  const { message, ...end } = first ?? {};
  const isRule = ({ role }: Message) => role === "system" || role === "developer";
  const { tools = null } = toolsOf(isObject(request) ? request : {});
  return {
    rules: messages.filter(isRule),
    messages: messages.filter((one) => !isRule(one)),
    replies: isObject(message) ? [{ role: "assistant", ...message }] : [],
    tools,
    envelope: {
      ...settings,
      response: { ...answer, ...end, ...(others.length > 0 ? { other_choices: others } : {}) },
    },
    rest,
    isRequest: true,
    error: answer.error ?? null,
  };
}

function factsOf(requests: readonly SourceObject[]): Partial<Row> {
  const facts: Partial<Row> = { openai_completions: { requests } };
  const request = requests.at(-1)!;
  const response = isObject(request.response) ? request.response : {};
  const model = response.model ?? request.model;
  if (typeof model === "string") facts.model_version = model;
  const sampling: Sampling = {};
  for (const [key, name] of SAMPLING) if (typeof request[key] === "number") sampling[name] = request[key];
  if (Object.keys(sampling).length > 0) facts.sampling = sampling;
  if (typeof response.finish_reason === "string") facts.finish_reason = response.finish_reason;
  const usage = usageOf(requests);
  if (usage !== null) facts.usage = usage;
  return facts;
}

const SAMPLING: readonly (readonly [key: string, name: string])[] = [
  ["temperature", "temperature"],
  ["max_tokens", "max_tokens"],
  ["max_completion_tokens", "max_tokens"],
  ["top_p", "top_p"],
  ["seed", "seed"],
];

/** Tokens of all requests together; null when no response says any. */
function usageOf(requests: readonly SourceObject[]): SourceObject | null {
  const used = requests.flatMap(({ response }): SourceObject[] =>
    isObject(response) && isObject(response.usage) ? [response.usage] : [],
  );
  if (used.length === 0) return null;
  const sum = (key: string) =>
    used.reduce((total, usage) => total + (typeof usage[key] === "number" ? usage[key] : 0), 0);
  return { input_tokens: sum("prompt_tokens"), output_tokens: sum("completion_tokens") };
}
