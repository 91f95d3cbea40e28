import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/**
 * The messages in the value of an attribute: a list or one message, as JSON text or as it is, of parts (the GenAI
 * conventions), of content and `tool_calls`, or under dotted keys (OpenInference). Other text is one message.
 *
 * @param role Who said a text that stands alone
 */
export function messagesOfValue(value: unknown, role: string): Message[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value === "string") return messagesInText(value) ?? [{ role, content: value }];
  return messagesIn(value) ?? [{ role, content: textOf(value) }];
}

/** The messages that a text is the JSON of; null for any other text. */
export function messagesInText(text: string): Message[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return messagesIn(parseEmbeddedJson(text));
  } catch {
    return null; // A text that begins with brackets.
  }
}

/** The agent's rules: a text, or parts of one without a role around them. */
export function systemMessageOf(value: unknown): Message[] {
  const given = jsonOf(value);
  if (
    Array.isArray(given) &&
    given.length > 0 &&
    given.every((part) => isObject(part) && typeof part.type === "string")
  ) {
    return messagesOfParts({ role: "system", parts: given });
  }
  return messagesOfValue(value, "system").map((message) => ({ ...message, role: "system" }));
}

/** The value of JSON text of an object or a list; anything else as it is. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseEmbeddedJson(value);
  } catch {
    return value; // A text that begins with brackets.
  }
}

function messagesIn(value: unknown): Message[] | null {
  if (isObject(value) && Array.isArray(value.messages)) return messagesIn(value.messages);
  const messages = (Array.isArray(value) ? value : [value]).map(unwrapped);
  return messages.every(isMessage) ? messages.flatMap(messagesOfParts) : null;
}

/** OpenInference puts a message under `message`, or its keys behind `message.`. */
function unwrapped(item: unknown): unknown {
  if (!isObject(item)) return item;
  if (isObject(item.message) && item.role === undefined) return unwrapped(item.message);
  if (item["message.role"] === undefined) return item;
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key.replace(/^message\./, ""), value]));
}

function isMessage(value: unknown): value is Message {
  return isObject(value) && typeof value.role === "string";
}

/** A message of parts as others are written: its text, its calls, and each answer in a message of its own. */
function messagesOfParts(message: Message): Message[] {
  const { parts, ...envelope } = message;
  if (!Array.isArray(parts)) return [{ ...message, content: message.content ?? "" }];
  const content: unknown[] = [];
  const calls: unknown[] = [];
  const answers: Message[] = [];
  for (const part of parts) {
    if (isObject(part) && part.type === "tool_call") calls.push(callOf(part));
    else if (isObject(part) && part.type === "tool_call_response") answers.push(answerOf(part));
    else content.push(blockOf(part));
  }
  const isAnswer = content.length + calls.length === 0 && answers.length > 0;
  if (isAnswer) return answers;
  const [only] = content;
  const isText = content.length === 1 && isObject(only) && only.type === "text" && Object.keys(only).length === 2;
  const turn: Message = { ...envelope, content: content.length === 0 ? "" : isText ? only.text : content };
  if (calls.length > 0) turn.tool_calls = calls;
  return [turn, ...answers];
}

function callOf({ type: _, id, name, arguments: given, ...more }: SourceObject): SourceObject {
  const call: SourceObject = { type: "function", function: { name: textOf(name), arguments: given ?? {} }, ...more };
  if (id !== undefined && id !== null && id !== "") call.id = textOf(id);
  return call;
}

function answerOf({ type: _, id, name, response, result, ...more }: SourceObject): Message {
  const answer: Message = { role: "tool", content: answerContent(response ?? result), ...more };
  if (id !== undefined && id !== null && id !== "") answer.tool_call_id = textOf(id);
  if (typeof name === "string") answer.name = name;
  return answer;
}

/** What a tool answered as the content of its message: lists are data here and no blocks, so they become JSON. */
export function answerContent(value: unknown): unknown {
  if (isObject(value)) return value;
  return typeof value === "string" ? value : pyJson(value ?? null, { ascii: false });
}

/** A part that is neither a call nor an answer as a block of content. */
function blockOf(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type, content, ...more } = part;
  if (type === "text") return { type, text: textOf(content ?? more.text), ...without(more, "text") };
  if (type === "reasoning") return { type: "thinking", thinking: textOf(content), ...more };
  return part;
}

function without(object: SourceObject, key: string): SourceObject {
  const { [key]: _, ...rest } = object;
  return rest;
}
