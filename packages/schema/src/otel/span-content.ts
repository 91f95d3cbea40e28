import { isObject } from "../is-object.ts";
import type { Message } from "../row.ts";
import { textOf } from "../text/text-of.ts";
import type { Attributes } from "./attributes.ts";
import { indexedMessages } from "./indexed-messages.ts";
import { answerContent, jsonOf, messagesOfValue, systemMessageOf } from "./message-value.ts";
import type { Span, SpanEvent } from "./span.ts";

/** What a call of a model was sent and what it answered. */
export interface ModelContent {
  kind: "model";
  system: readonly Message[];
  inputs: readonly Message[];
  outputs: readonly Message[];
}

/** One run of a tool. */
export interface ToolContent {
  kind: "tool";
  /** "" when the span names none. */
  id: string;
  name: string;
  arguments: unknown;
  /** undefined for a call whose result was not recorded. */
  result: unknown;
  /** null when it did not fail, "" when it only says that it failed. */
  error: string | null;
}

const INPUT_KEYS = ["gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages"];
const OUTPUT_KEYS = ["gen_ai.output.messages", "gen_ai.completion", "llm.output_messages"];
const INDEXED_INPUTS = ["llm.input_messages.", "gen_ai.prompt."];
const INDEXED_OUTPUTS = ["llm.output_messages.", "gen_ai.completion."];

const TOOL_NAMES = ["gen_ai.tool.name", "tool.name"];
const TOOL_ARGUMENTS = ["gen_ai.tool.call.arguments", "gen_ai.tool.input", "tool.input", "tool.parameters"];
const TOOL_RESULTS = ["gen_ai.tool.call.result", "gen_ai.tool.output", "tool.output"];
const TOOL_IDS = ["gen_ai.tool.call.id", "tool_call.id"];
const TOOL_FAILURES: ReadonlySet<string> = new Set(["error", "failed", "failure"]);

/** Events that hold the messages of a call, as attributes of the names that spans have. */
const CONTENT_EVENTS: ReadonlySet<string> = new Set([
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
]);

const MESSAGE_EVENTS: ReadonlyMap<string, string> = new Map([
  ["gen_ai.system.message", "system"],
  ["gen_ai.user.message", "user"],
  ["gen_ai.assistant.message", "assistant"],
  ["gen_ai.tool.message", "tool"],
]);

/** What kind of work a span is, as its own convention says it; "" when it says nothing. */
export function operationOf({ attributes }: Span): string {
  const said = attributes.first(["gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind"]);
  return textOf(said).toLowerCase();
}

/**
 * The part of a conversation that a span recorded; null for one that recorded none: its content was not captured, or it
 * is no work of a model or a tool.
 *
 * @param seen Is given the names of the conventions that were met
 */
export function contentOf(span: Span, operation: string, seen: Set<string>): ModelContent | ToolContent | null {
  const { attributes } = span;
  const isTool = operation === "execute_tool" || operation === "tool";
  const given = attributes.first(isTool ? [...TOOL_ARGUMENTS, "input.value"] : TOOL_ARGUMENTS);
  if (isTool || given !== undefined) return toolContent(span, given, isTool);
  const inputs: Message[] = [];
  const outputs: Message[] = [];
  for (const home of [attributes, ...span.events.filter(isContentEvent).map((event) => event.attributes)]) {
    if (inputs.length === 0) inputs.push(...messagesUnder(home, INPUT_KEYS, INDEXED_INPUTS, "user", seen));
    if (outputs.length === 0) outputs.push(...messagesUnder(home, OUTPUT_KEYS, INDEXED_OUTPUTS, "assistant", seen));
  }
  const told = span.events.flatMap(messageOfEvent);
  const said = span.events.flatMap(choiceOfEvent);
  if (told.length + said.length > 0) seen.add("events");
  if (inputs.length === 0) inputs.push(...told);
  if (outputs.length === 0) outputs.push(...said.slice(0, 1));
  if (inputs.length + outputs.length === 0) return null;
  const rules = [attributes, ...span.events.map((event) => event.attributes)]
    .map((home) => home.first(["gen_ai.system_instructions"]))
    .find((value) => value !== undefined);
  const system = [...systemMessageOf(rules), ...inputs.filter(isRules)];
  return { kind: "model", system, inputs: inputs.filter((message) => !isRules(message)), outputs };
}

function messagesUnder(
  home: Attributes,
  keys: readonly string[],
  prefixes: readonly string[],
  role: string,
  seen: Set<string>,
): Message[] {
  const value = home.first(keys);
  if (value !== undefined) {
    seen.add("attributes");
    return messagesOfValue(value, role);
  }
  for (const prefix of prefixes) {
    const messages = indexedMessages(home.under(prefix));
    if (messages.length === 0) continue;
    seen.add(prefix.startsWith("llm.") ? "openinference" : "openllmetry");
    // Several completions are so many choices of one answer.
    return prefix === "gen_ai.completion." ? messages.slice(0, 1) : messages;
  }
  return [];
}

function isContentEvent({ name }: SpanEvent): boolean {
  return CONTENT_EVENTS.has(name);
}

function isRules({ role }: Message): boolean {
  return role === "system" || role === "developer";
}

function messageOfEvent({ name, attributes }: SpanEvent): Message[] {
  const role = MESSAGE_EVENTS.get(name);
  if (role === undefined) return [];
  const message = messageOfFields(role, (key) => attributes.first([key]));
  const id = attributes.first(["id"]);
  if (role === "tool" && id !== undefined) message.tool_call_id = textOf(id);
  return [message];
}

/** The first choice of an answer; its message is an object, JSON text of one, or spread over the event. */
function choiceOfEvent({ name, attributes }: SpanEvent): Message[] {
  if (name !== "gen_ai.choice") return [];
  const held = jsonOf(attributes.first(["message"]));
  const of = (key: string) => (isObject(held) ? held[key] : attributes.first([key, `message.${key}`]));
  const message = messageOfFields("assistant", of);
  if (typeof held === "string") message.content = held;
  const reason = attributes.first(["finish_reason"]);
  return [reason === undefined ? message : { ...message, finish_reason: reason }];
}

function messageOfFields(role: string, of: (key: string) => unknown): Message {
  const calls = jsonOf(of("tool_calls"));
  const content = of("content");
  const message: Message = {
    role: textOf(of("role")) || role,
    content: Array.isArray(content) ? content : textOf(content),
  };
  if (Array.isArray(calls) && calls.length > 0) message.tool_calls = calls;
  return message;
}

function toolContent({ name, attributes, error }: Span, given: unknown, isTool: boolean): ToolContent {
  const named = textOf(attributes.first(TOOL_NAMES)) || name.replace(/^execute_tool\s+/, "");
  const result = attributes.first(isTool ? [...TOOL_RESULTS, "output.value"] : TOOL_RESULTS);
  const status = textOf(attributes.first(["gen_ai.tool.status"])).toLowerCase();
  const type = attributes.first(["error.type"]);
  const failed = error !== null || type !== undefined || TOOL_FAILURES.has(status);
  return {
    kind: "tool",
    id: textOf(attributes.first(TOOL_IDS)),
    name: named || "unknown",
    arguments: jsonOf(given) ?? {},
    result: result === undefined ? undefined : answerContent(jsonOf(result)),
    error: failed ? error || textOf(type) : null,
  };
}
