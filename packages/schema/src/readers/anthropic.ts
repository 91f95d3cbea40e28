import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { functionSchemas, messageKey, withoutCacheHints, withServerToolsApart } from "./anthropic-messages.ts";
import { type AnthropicRecord, anthropicRecord, isAnthropic } from "./anthropic-record.ts";
import { chatRow, contextOf, imported } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { rescored } from "./scored.ts";

/**
 * Requests and responses of Anthropic's Messages API, alone or in pairs under `request`/`response` or
 * `input`/`output`, and lines of `{messages, system, tools}`. Answers to one context are one task.
 *
 * An agent sends its conversation again with every turn: requests that follow one another, each beginning with all of
 * the one before and its answer, are one row. What else requests and responses say is under `anthropic.requests`, in
 * their order. Input tokens are counted with those that were read from and written to the cache.
 *
 * A row that says it is one (`scenario_id`, `schema_version`) may hold such messages and is read as a row.
 */
export const anthropic: Format = {
  name: "anthropic",
  title: "Anthropic messages",
  detect: (record) => record.schema_version === undefined && record.scenario_id === undefined && isAnthropic(record),
  open: (context) => new AnthropicReader(context),
};

/** Requests that extend one another. */
interface Session {
  last: AnthropicRecord;
  /** The messages of the last request and its answer, with thinking that was not sent again. */
  messages: readonly Message[];
  keys: readonly string[];
  system: string;
  requests: readonly SourceObject[];
  /** Made at once for what no later request can extend, so that a fault in it is one of its own line. */
  rows: readonly Row[] | null;
}

/** Where two requests say one of these, they must say the same to be of one session. */
const SESSION_KEYS = ["session_id", "conversation_id", "trace_id", "task_id", "group_id"] as const;

const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_calls"],
]);

class AnthropicReader implements FormatReader {
  readonly #context: ReaderContext;
  /** The request that the next record may extend. */
  #session: Session | null = null;

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    const before = this.#session;
    const next = sessionOf(anthropicRecord(record));
    const extended = before === null ? null : extendedBy(before, next);
    if (extended !== null) {
      this.#session = extended;
      this.#context.skip("extended_by_next_request");
      return [];
    }
    const rows = before === null ? [] : (before.rows ?? this.#rows(before));
    this.#session = isOpen(next) ? next : { ...next, rows: this.#rows(next) };
    return rows;
  }

  held(): readonly Row[] {
    const session = this.#session;
    return session === null ? [] : (session.rows ?? this.#rows(session));
  }

  #rows({ last, messages, requests }: Session): Row[] {
    const { system, error, rest, tools } = last;
    if (error !== null && this.#context.options.keepErrors === false) {
      this.#context.skip("infrastructure_error");
      return [];
    }
    const rules: Message[] = system === undefined || system === null ? [] : [{ role: "system", content: system }];
    const told = [...rules, ...messages.flatMap(withServerToolsApart)];
    const row: Row = { ...chatRow(told, "anthropic", this.#context), ...factsOf(requests) };
    if (tools !== null) row.tools = functionSchemas(tools);
    const asked = contextOf(told).map(withoutCacheHints);
    const whole = rescored(imported(row, rest, asked, "anthropic", this.#context), this.#context.options);
    if (error === null) return [whole];
    const meta = isObject(whole.judge_meta) ? whole.judge_meta : {};
    return [{ ...whole, reward: null, judge_status: "error", judge_meta: { ...meta, error } }];
  }
}

function sessionOf(record: AnthropicRecord): Session {
  const { messages, reply, envelope, system } = record;
  const all = reply === null ? messages : [...messages, reply];
  return {
    last: record,
    messages: all,
    keys: all.map(messageKey),
    system: system === undefined || system === null ? "" : messageKey({ role: "system", content: system }),
    requests: Object.keys(envelope).length === 0 ? [] : [envelope],
    rows: null,
  };
}

/** Both as one session, or null when the second does not begin with all of the first. */
function extendedBy(before: Session, next: Session): Session | null {
  const from = before.keys.length;
  const asked = next.last.messages.length;
  // What failed is sent again as it was.
  const isLonger = before.last.error === null ? asked > from : asked >= from;
  if (!isLonger || !areOfOneSession(before, next)) return null;
  if (!before.keys.every((key, index) => key === next.keys[index])) return null;
  const { tools, rest } = before.last;
  const envelope: SourceObject = { ...before.requests.at(-1) };
  if (pyJson(tools) !== pyJson(next.last.tools)) envelope.tools = tools;
  if (Object.keys(rest).length > 0) envelope.record = rest;
  return {
    ...next,
    messages: [...before.messages, ...next.messages.slice(from)],
    requests: [...before.requests.slice(0, -1), envelope, ...next.requests],
  };
}

/** Lines to train on and graded records are rollouts of their own. */
function isOpen({ last: { isRequest, rest } }: Session): boolean {
  return isRequest && !("reward" in rest);
}

function areOfOneSession(before: Session, next: Session): boolean {
  const { last: a } = before;
  const { last: b } = next;
  if (!isOpen(before) || !isOpen(next)) return false;
  if (before.system !== next.system || a.envelope.model !== b.envelope.model) return false;
  return SESSION_KEYS.every(
    (key) => a.rest[key] === undefined || b.rest[key] === undefined || a.rest[key] === b.rest[key],
  );
}

/** What the requests of a row say of the model, how it was asked, why it stopped and what it used. */
function factsOf(requests: readonly SourceObject[]): Partial<Row> {
  const facts: Partial<Row> = {};
  if (requests.length === 0) return facts;
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
  facts.anthropic = { requests };
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
