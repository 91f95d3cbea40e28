import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row, Sampling } from "../row.ts";
import { messageKey, withoutCacheHints, withServerToolsApart } from "./anthropic-messages.ts";
import { anthropicRecord, isAnthropic } from "./anthropic-record.ts";
import type { Format } from "./format.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { type SessionFormat, SessionReader } from "./session-reader.ts";

/**
 * Requests and responses of Anthropic's Messages API, alone or in pairs under `request`/`response` or
 * `input`/`output`, and lines of `{messages, system, tools}`. What else requests and responses say is under
 * `anthropic.requests`, in their order. Input tokens are counted with those that were read from and written to the
 * cache.
 *
 * A row that says it is one (`scenario_id`, `schema_version`) may hold such messages and is read as a row.
 */
export const anthropic: Format = {
  name: "anthropic",
  title: "Anthropic messages",
  detect: (record) => !saysItIsARow(record) && isAnthropic(record),
  open: (context) => new SessionReader(MESSAGES_API, context),
};

/** Requests and responses of the API, for readers that find them in another wrapping. */
export const MESSAGES_API: SessionFormat = {
  name: "anthropic",
  recordOf: anthropicRecord,
  keyOf: messageKey,
  messagesOf: withServerToolsApart,
  askOf: withoutCacheHints,
  factsOf,
};

const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
]);

function factsOf(requests: readonly SourceObject[]): Partial<Row> {
  const facts: Partial<Row> = { anthropic: { requests } };
  const request = requests.at(-1)!;
  const response = isObject(request.response) ? request.response : {};
  const model = response.model ?? request.model;
  if (typeof model === "string") facts.model_version = model;
  const sampling: Sampling = {};
  for (const key of ["temperature", "max_tokens", "top_p", "top_k"]) {
    if (typeof request[key] === "number") sampling[key] = request[key];
  }
  if (Object.keys(sampling).length > 0) facts.sampling = sampling;
  const reason = response.stop_reason;
  if (typeof reason === "string") facts.finish_reason = FINISH_REASONS.get(reason) ?? reason;
  const usage = usageOf(requests);
  if (usage !== null) facts.usage = usage;
  return facts;
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
    input += tokens(usage.input_tokens);
    input += tokens(usage.cache_creation_input_tokens) + tokens(usage.cache_read_input_tokens);
    output += tokens(usage.output_tokens);
  }
  return isSaid ? { input_tokens: input, output_tokens: output } : null;
}

function tokens(count: unknown): number {
  return typeof count === "number" ? count : 0;
}
