import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/** Whether a message is spelled as only the AI SDK spells one: parts, tool invocations, or parts of calls. */
export function isAiSdkMessage(message: unknown): boolean {
  if (!isObject(message) || typeof message.role !== "string") return false;
  const { parts, content, toolInvocations } = message;
  if (Array.isArray(toolInvocations)) return true;
  if (Array.isArray(parts)) return parts.some(isUiPart);
  return Array.isArray(content) && content.some((part) => isObject(part) && CALL_PARTS.has(part.type));
}

const CALL_PARTS: ReadonlySet<unknown> = new Set(["tool-call", "tool-result"]);

function isUiPart(part: unknown): boolean {
  if (!isObject(part) || typeof part.type !== "string") return false;
  return part.type === "step-start" || (part.type === "text" && typeof part.text === "string") || isUiCall(part);
}

/** `tool-invocation` (v4), `tool-<name>` and `dynamic-tool` (v5). */
function isUiCall({ type, toolInvocation, toolCallId }: SourceObject): boolean {
  if (type === "tool-invocation") return isObject(toolInvocation);
  return (type === "dynamic-tool" || textOf(type).startsWith("tool-")) && typeof toolCallId === "string";
}

/**
 * A message of the AI SDK, for its pages (parts) or for a model (content), of its versions 4 and 5, as the messages it
 * stands for: a turn of the assistant with its calls, their answers, the next turn. What else the message says stays on
 * the first of them; what else a part says, beside its call.
 */
export function messagesOfAiSdk(message: Message): Message[] {
  const { parts, content, toolInvocations, ...envelope } = message;
  if (Array.isArray(parts)) {
    const texts = parts.flatMap((part) => (isObject(part) && part.type === "text" ? [textOf(part.text)] : []));
    // Version 4 says the text of its parts once more.
    const isRepeated = content === undefined || ["", "\n"].some((glue) => texts.join(glue) === content);
    return turnsOf(parts, isRepeated ? envelope : { ...envelope, content_text: content });
  }
  if (Array.isArray(toolInvocations)) {
    const said = textOf(content) === "" ? [] : [{ type: "text", text: content }];
    return turnsOf([...said, ...toolInvocations.map((toolInvocation) => ({ toolInvocation }))], envelope);
  }
  return Array.isArray(content) && content.some((part) => isObject(part) && CALL_PARTS.has(part.type))
    ? turnsOf(content, envelope)
    : [message];
}

/** A call of any spelling, and its answer where it has one. */
interface PartCall {
  id: unknown;
  name: string;
  input: unknown;
  answer: Message | null;
  /** The keys that are none of these. */
  more: SourceObject;
}

function turnsOf(parts: readonly unknown[], envelope: { role: string; [key: string]: unknown }): Message[] {
  const messages: Message[] = [];
  const turn: { content: unknown[]; calls: unknown[]; answers: Message[] } = { content: [], calls: [], answers: [] };
  const close = () => {
    const { content, calls, answers } = turn;
    if (content.length + calls.length > 0) {
      const isFirst = messages.length === 0;
      const message: Message = isFirst ? { ...envelope, content } : { role: envelope.role, content };
      if (calls.length > 0) message.tool_calls = calls;
      messages.push(message);
    }
    messages.push(...answers);
    Object.assign(turn, { content: [], calls: [], answers: [] });
  };
  for (const part of parts) {
    if (isObject(part) && part.type === "step-start") {
      close();
      continue;
    }
    const answer = isObject(part) && part.type === "tool-result" ? answerOfResult(part) : null;
    if (answer !== null) {
      turn.answers.push(answer);
      continue;
    }
    const call = isObject(part) ? callOf(part) : null;
    if (call === null) {
      // What is said behind a call is said after its answer.
      if (turn.calls.length + turn.answers.length > 0) close();
      turn.content.push(part);
      continue;
    }
    const { id, name, input, more } = call;
    turn.calls.push({ id, type: "function", function: { name, arguments: input }, part: more });
    if (call.answer !== null) turn.answers.push(call.answer);
  }
  close();
  if (messages.length === 0) return [{ ...envelope, content: [] }];
  const [first] = messages;
  // A message of answers alone has no turn to keep what else it says.
  const { role, ...rest } = envelope;
  if (role === "tool") messages[0] = { ...rest, ...first! };
  return messages;
}

function callOf(part: SourceObject): PartCall | null {
  const { toolInvocation } = part;
  if (isObject(toolInvocation)) {
    const { toolCallId: id, toolName, args, result, ...more } = toolInvocation;
    const { toolInvocation: _, ...rest } = part;
    const name = textOf(toolName);
    const answer = more.state === "result" || result !== undefined ? answerOf(id, name, result) : null;
    return { id, name, input: args, answer, more: { ...rest, ...more } };
  }
  if (part.type === "tool-call") {
    const { type, toolCallId: id, toolName, args, input, ...more } = part;
    return { id, name: textOf(toolName), input: input ?? args, answer: null, more: { type, ...more } };
  }
  if (!isUiCall(part)) return null;
  const { toolCallId: id, toolName, input, output, errorText, ...more } = part;
  const name = part.type === "dynamic-tool" ? textOf(toolName) : textOf(part.type).slice("tool-".length);
  if (typeof errorText === "string") {
    const answer = { ...answerOf(id, name, ""), error: { message: errorText } };
    return { id, name, input: input ?? more.rawInput, answer, more };
  }
  const isAnswered = more.state === "output-available" || output !== undefined;
  return { id, name, input, answer: isAnswered ? answerOf(id, name, output) : null, more };
}

/** A result in a message for the model: the value itself in version 4, `{type, value}` in version 5. */
function answerOfResult(part: SourceObject): Message {
  const { type: _, toolCallId: id, toolName, result, output, isError, ...more } = part;
  const name = textOf(toolName);
  if (!isObject(output) || typeof output.type !== "string") {
    const answer = { ...answerOf(id, name, result ?? output), ...more };
    return isError === true ? { ...answer, error: true } : answer;
  }
  const { type: kind, value, ...rest } = output;
  const said = { ...rest, ...more, output_type: kind };
  if (kind === "content") return { ...answerOf(id, name, ""), ...said, content: value };
  const answer = { ...answerOf(id, name, value), ...said };
  return kind.startsWith("error") || kind === "execution-denied" ? { ...answer, error: true } : answer;
}

/** Lists are data here and no blocks of a message, so they become the JSON that they are. */
function answerOf(id: unknown, name: string, value: unknown): Message {
  const message: Message = { role: "tool", name, content: isObject(value) ? value : jsonOrText(value) };
  if (typeof id === "string") message.tool_call_id = id;
  return message;
}

function jsonOrText(value: unknown): string {
  return Array.isArray(value) ? pyJson(value, { ascii: false }) : textOf(value);
}
