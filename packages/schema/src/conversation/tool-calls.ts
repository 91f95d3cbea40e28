import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { Message } from "../row.ts";
import { pyJson } from "../text/python-json.ts";

/** One tool call, whatever its spelling in the file. */
export interface ToolCall {
  id?: string;
  /** "" when the call names no tool; `parseError` says so. */
  name: string;
  /** {} when the arguments could not be read; `parseError` says why and `raw` has their text. */
  arguments: Record<string, unknown>;
  /** The text the arguments were read from, where they came as text. */
  raw?: string;
  parseError?: string;
}

const NO_CALLS: readonly ToolCall[] = Object.freeze([]);

/**
 * The tool calls of a message, in any spelling: flat `{name, arguments}`, OpenAI's nested `function` with arguments
 * as text or as an object, calls that are JSON text themselves (verifiers), Anthropic `tool_use` blocks, Inspect's
 * `{function: "name"}`, and the old `function_call`. Arguments that are null or blank are {}.
 *
 * A call that cannot be read is returned with `parseError`, never left out and never passed off as a call with {}.
 */
export function toolCalls(message: Message): readonly ToolCall[] {
  const { content, tool_calls: listed, function_call: legacy } = message;
  const inContent = Array.isArray(content) && content.some(isToolUse);
  if (!inContent && !listed && !legacy) return NO_CALLS;

  const calls: ToolCall[] = [];
  if (inContent) {
    for (const block of content) {
      if (isToolUse(block)) calls.push(readCall(block.id, block.name, block.input, block));
    }
  }
  for (const item of listOf(listed)) calls.push(readListed(item));
  if (legacy) calls.push(readListed(legacy));
  return calls;
}

/** Published sets hold the whole list as JSON text. */
function listOf(listed: unknown): readonly unknown[] {
  if (listed === null || listed === undefined || listed === "") return [];
  const value = typeof listed === "string" ? parse(listed) : listed;
  return Array.isArray(value) ? value : [typeof listed === "string" && value === undefined ? listed : value];
}

function readListed(item: unknown): ToolCall {
  const call = typeof item === "string" ? parse(item) : item;
  if (!isObject(call)) {
    const raw = typeof item === "string" ? item : pyJson(item, { ascii: false });
    return { name: "", arguments: {}, raw, parseError: "The call is not an object." };
  }
  if (isObject(call.function)) return readCall(call.id, call.function.name, call.function.arguments, call);
  if (typeof call.function === "string") return readCall(call.id, call.function, call.arguments, call);
  return readCall(call.id, call.name, call.arguments, call);
}

function readCall(id: unknown, name: unknown, given: unknown, call: object): ToolCall {
  const read: ToolCall = { name: typeof name === "string" ? name : "", arguments: {} };
  if (typeof id === "string" && id !== "") read.id = id;
  if (isObject(given)) {
    read.arguments = given;
  } else if (typeof given === "string" && given.trim() !== "") {
    read.raw = given;
    const value = parse(given);
    if (isObject(value)) read.arguments = value;
    else read.parseError = value === undefined ? "The arguments are not JSON." : "The arguments are not an object.";
  } else if (typeof given !== "string" && given !== null && given !== undefined) {
    read.raw = pyJson(given, { ascii: false });
    read.parseError = "The arguments are not an object.";
  }
  if (read.name === "") {
    read.raw ??= pyJson(call, { ascii: false });
    read.parseError ??= "The call names no tool.";
  }
  return read;
}

function isToolUse(block: unknown): block is Record<string, unknown> {
  return isObject(block) && block.type === "tool_use";
}

/** undefined for text that is not JSON; the caller says so in `parseError`. */
function parse(text: string): unknown {
  try {
    return parseEmbeddedJson(text);
  } catch {
    return undefined;
  }
}
