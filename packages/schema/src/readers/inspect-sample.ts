import { blockText } from "../conversation/block-text.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { chatRow, isMessages, lineageOf } from "./chat-row.ts";
import type { ReaderContext } from "./format.ts";
import { givenScores } from "./inspect-scores.ts";
import { present } from "./present.ts";

/** A sample of Inspect but for its identity and its verdict. */
export interface ToldSample {
  told: Partial<Row>;
  /** What went wrong; null for a sample that came to its end. */
  error: SourceObject | null;
  scores: Record<string, unknown>;
}

/** Content that is long or repeated stands once in the sample, under its hash. */
const ATTACHMENT = "attachment://";

/** Limits that cut what the agent says or does; the others stop the clock or the budget. */
const LENGTH_LIMITS: ReadonlySet<unknown> = new Set(["context", "token", "message"]);

const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["tool_calls", "tool"],
]);

/** Reads a sample into the fields of a row; `model` is the one evaluated, others may have been graders. */
export function toldSample(
  sample: SourceObject,
  model: string,
  { context, importer }: { context: ReaderContext; importer: string },
): ToldSample {
  const { attachments, ...given } = sample;
  const whole = new Attachments(attachments);
  const { input, messages, output, target, metadata, error, scores: _, score: __, ...rest } = whole.resolved(given);
  // What was sent to models, graders among them, stands in events, and where it is long beside them.
  const { setup, files, store, events, events_data, id, epoch, uuid, ...more } = rest;
  const asked = conversationOf(input, messages);
  const chat = chatRow(asked, importer, context);
  const { completion, ...answer } = isObject(output) ? output : {};
  const told: Partial<Row> = {
    ...chat,
    prompt: promptOf(input) || (chat.prompt ?? ""),
    final_text: textOf(completion) || answerOf(answer) || (chat.final_text ?? ""),
    lineage: lineageOf(importer, context, "eval"),
    ...endOf(answer, sample.limit),
    ...usageOf(sample.model_usage, answer.usage, model),
  };
  const hidden = present({ metadata: isEmptyObject(metadata) ? undefined : metadata, setup, files });
  const privileged = present({
    reference: target === undefined ? undefined : referenceOf(target),
    hidden_state: isEmptyObject(hidden) ? undefined : hidden,
    store: isEmptyObject(store) ? undefined : store,
    events: isEmptyList(events) ? undefined : events,
    events_data: isObject(events_data) && Object.values(events_data).every(isEmptyList) ? undefined : events_data,
  });
  if (!isEmptyObject(privileged)) told.privileged = privileged;
  const unused = whole.unused();
  told.inspect = {
    ...present({ id, epoch, uuid }),
    ...(Array.isArray(input) ? { input } : {}),
    ...(isEmptyObject(answer) ? {} : { output: answer }),
    ...more,
    ...(isEmptyObject(unused) ? {} : { attachments: unused }),
  };
  return { told, error: errorOf(error), scores: whole.resolved(givenScores(sample)) };
}

class Attachments {
  readonly #texts: ReadonlyMap<string, unknown>;
  readonly #used = new Set<string>();

  constructor(attachments: unknown) {
    this.#texts = new Map(Object.entries(isObject(attachments) ? attachments : {}));
  }

  /** A copy in which each text that names an attachment is that attachment. */
  resolved(object: SourceObject): SourceObject {
    return this.#value(object) as SourceObject;
  }

  /** Attachments that nothing named. */
  unused(): SourceObject {
    return Object.fromEntries([...this.#texts].filter(([hash]) => !this.#used.has(hash)));
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return value.startsWith(ATTACHMENT) ? this.#text(value) : value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(item)]));
  }

  #text(reference: string): unknown {
    const hash = reference.slice(ATTACHMENT.length);
    if (!this.#texts.has(hash)) return reference;
    this.#used.add(hash);
    return this.#texts.get(hash);
  }
}

/** The messages; a sample that failed early has none, and then its input is what was said. */
function conversationOf(input: unknown, messages: unknown): readonly Message[] {
  const list = Array.isArray(messages) && messages.length > 0 ? messages : input;
  if (isMessages(list)) return list;
  if (Array.isArray(list) && list.length > 0) {
    throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Write the log again.");
  }
  return typeof input === "string" && input !== "" ? [{ role: "user", content: input }] : [];
}

function promptOf(input: unknown): string {
  if (typeof input === "string") return input;
  const ask = isMessages(input) ? input.find(({ role }) => role === "user") : undefined;
  return blockText(ask?.content);
}

function answerOf({ choices }: SourceObject): string {
  const [first] = Array.isArray(choices) ? choices : [];
  const message = isObject(first) ? first.message : undefined;
  return isObject(message) ? blockText(message.content) : "";
}

function endOf({ choices }: SourceObject, limit: unknown): Partial<Row> {
  if (isObject(limit) && LENGTH_LIMITS.has(limit.type)) return { finish_reason: "length" };
  const [first] = Array.isArray(choices) ? choices : [];
  const reason = isObject(first) ? first.stop_reason : undefined;
  return typeof reason === "string" ? { finish_reason: FINISH_REASONS.get(reason) ?? reason } : {};
}

/** The tokens of the model that is evaluated; graders and users have theirs. */
function usageOf(usages: unknown, ofAnswer: unknown, model: string): Partial<Row> {
  const own = isObject(usages) && Object.hasOwn(usages, model) ? usages[model] : ofAnswer;
  return isObject(own) ? { usage: own } : {};
}

/** One target as its text, several as a JSON list of them. */
function referenceOf(target: unknown): string {
  return Array.isArray(target) && target.length === 1 ? textOf(target[0]) : textOf(target);
}

function errorOf(error: unknown): SourceObject | null {
  if (error === undefined || error === null) return null;
  if (!isObject(error)) return { error };
  const { message, ...rest } = error;
  return { error: message, ...rest };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmptyObject(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}
