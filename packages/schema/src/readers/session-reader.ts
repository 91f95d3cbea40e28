import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, ToolSchema } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { chatRow, contextOf, imported } from "./chat-row.ts";
import type { FormatReader, ReaderContext } from "./format.ts";
import { rescored } from "./scored.ts";

/** One call of a model's API, or a line to train on in its spelling. */
export interface RequestRecord {
  /** The agent's rules, as messages. */
  rules: readonly Message[];
  /** What was sent. */
  messages: readonly Message[];
  /** What the model answered; nothing for a request alone and for a line to train on. */
  replies: readonly Message[];
  tools: readonly ToolSchema[] | null;
  /** What else the request and the response say, as they say it. */
  envelope: SourceObject;
  /** Keys of the record that belong to neither. */
  rest: SourceObject;
  /** Whether it is a request, which a later one may extend, and no line to train on. */
  isRequest: boolean;
  /** What the API answered instead of a message; null when it did not fail. */
  error: unknown;
  /** The response, and the one whose conversation the request goes on with, where the API keeps conversations. */
  id?: unknown;
  previousId?: unknown;
}

/** What is particular to one API. */
export interface SessionFormat {
  readonly name: string;
  /** @throws SchemaError `bad_value` */
  recordOf(record: SourceObject, context: ReaderContext): RequestRecord;
  /** What a message says, without what may differ when it is sent again. */
  keyOf(message: Message): string;
  /** A message as a row holds it. */
  messagesOf(message: Message): readonly Message[];
  /** A message as it tells one task from another. */
  askOf(message: Message): Message;
  /** What the requests of a row say of the model, how it was asked, why it stopped and what it used. */
  factsOf(requests: readonly SourceObject[], messages: readonly Message[]): Partial<Row>;
}

/** Requests that extend one another. */
interface Session {
  last: RequestRecord;
  /** The messages of the last request and its answer, with thinking that was not sent again. */
  messages: readonly Message[];
  keys: readonly string[];
  rules: string;
  requests: readonly SourceObject[];
  /** Made at once for what no later request can extend, so that a fault in it is one of its own line. */
  rows: readonly Row[] | null;
}

/** Where two requests say one of these, they must say the same to be of one session. */
const SESSION_KEYS = ["session_id", "conversation_id", "trace_id", "task_id", "group_id"] as const;

/**
 * Rows from a log of requests. An agent sends its conversation again with every turn: requests that follow one another,
 * each beginning with all of the one before and its answer, are one row. So are requests that go on with the response
 * before them, where the API keeps the conversation. Answers to one context are one task.
 */
export class SessionReader implements FormatReader {
  readonly #format: SessionFormat;
  readonly #context: ReaderContext;
  /** The request that the next record may extend. */
  #session: Session | null = null;

  constructor(format: SessionFormat, context: ReaderContext) {
    this.#format = format;
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    const before = this.#session;
    const next = this.#sessionOf(this.#format.recordOf(record, this.#context));
    const extended = before === null ? null : extendedBy(before, next);
    if (extended !== null) {
      this.#session = extended;
      this.#context.skip("extended_by_next_request");
      return [];
    }
    const { previousId } = next.last;
    if (typeof previousId === "string") {
      this.#context.warn(
        "missing_previous_response",
        `A request goes on with the response ${previousId}, which is not the record before it: its row begins in the middle.`,
      );
    }
    const rows = before === null ? [] : (before.rows ?? this.#rows(before));
    this.#session = isOpen(next) ? next : { ...next, rows: this.#rows(next) };
    return rows;
  }

  held(): readonly Row[] {
    const session = this.#session;
    return session === null ? [] : (session.rows ?? this.#rows(session));
  }

  #sessionOf(record: RequestRecord): Session {
    const messages = [...record.messages, ...record.replies];
    return {
      last: record,
      messages,
      keys: messages.map(this.#format.keyOf),
      rules: pyJson(record.rules.map(this.#format.keyOf)),
      requests: Object.keys(record.envelope).length === 0 ? [] : [record.envelope],
      rows: null,
    };
  }

  #rows({ last, messages, requests }: Session): Row[] {
    const { rules, error, rest, tools } = last;
    const { name, messagesOf, askOf, factsOf } = this.#format;
    const { options } = this.#context;
    if (error !== null && options.keepErrors === false) {
      this.#context.skip("infrastructure_error");
      return [];
    }
    const told = [...rules, ...messages.flatMap(messagesOf)];
    const row: Row = {
      ...chatRow(told, name, this.#context),
      ...(requests.length === 0 ? {} : factsOf(requests, messages)),
    };
    if (tools !== null) row.tools = [...tools];
    const asked = contextOf(told).map(askOf);
    const whole = rescored(imported(row, rest, asked, name, this.#context), options);
    if (error === null) return [whole];
    const meta = isObject(whole.judge_meta) ? whole.judge_meta : {};
    return [{ ...whole, reward: null, judge_status: "error", judge_meta: { ...meta, error } }];
  }
}

/** Both as one session, or null when the second does not go on where the first ended. */
function extendedBy(before: Session, next: Session): Session | null {
  if (!areOfOneSession(before, next)) return null;
  const { tools, rest, error, id } = before.last;
  const goesOn = typeof id === "string" && id === next.last.previousId;
  const from = goesOn ? 0 : before.keys.length;
  // What failed is sent again as it was.
  const isLonger = error === null ? next.last.messages.length > from : next.last.messages.length >= from;
  if (!isLonger) return null;
  if (!goesOn && !before.keys.every((key, index) => key === next.keys[index])) return null;
  const envelope: SourceObject = { ...before.requests.at(-1) };
  if (pyJson(tools) !== pyJson(next.last.tools)) envelope.tools = tools;
  if (Object.keys(rest).length > 0) envelope.record = rest;
  return {
    ...next,
    messages: [...before.messages, ...next.messages.slice(from)],
    keys: goesOn ? [...before.keys, ...next.keys] : next.keys,
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
  if (before.rules !== next.rules || a.envelope.model !== b.envelope.model) return false;
  return SESSION_KEYS.every(
    (key) => a.rest[key] === undefined || b.rest[key] === undefined || a.rest[key] === b.rest[key],
  );
}
