import { isObject } from "../is-object.ts";
import type { Message, Row } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import { messagesOfAiSdk } from "./ai-sdk-messages.ts";
import { isMessages } from "./chat-row.ts";
import type { ReaderContext } from "./format.ts";
import { answerRow } from "./preference-rows.ts";
import { areResponseItems, messagesOfItems } from "./response-items.ts";

/** A tool call as a tracer logs one. */
export interface LoggedCall {
  name: string;
  arguments: unknown;
  /** undefined for a call that was never answered. */
  result: unknown;
  /** null when it did not fail. */
  error: unknown;
}

/** What a tracer knows of one rollout. */
export interface LoggedTrace {
  input: unknown;
  output: unknown;
  /** In the order in which they began. */
  calls: readonly LoggedCall[];
  /** What the last call of the model was sent and answered; null when no model was logged. */
  lastGeneration: { input: unknown; output: unknown } | null;
}

/**
 * The row of a trace. Where the last call of the model was sent a chat in which tools answered, that chat is the
 * conversation; else it is the trace's own input, the tool calls in their order, and its output.
 */
export function loggedRow(trace: LoggedTrace, importer: string, context: ReaderContext): Row {
  const { input, output, calls, lastGeneration } = trace;
  const generated = lastGeneration === null ? null : chatIn(lastGeneration.input);
  if (generated !== null && (calls.length > 0 || isNothing(input)) && (generated.some(isAnswer) || isNothing(input))) {
    const answer = chatIn(lastGeneration!.output) ?? textIn(lastGeneration!.output);
    return answerRow(generated, answer, importer, context);
  }
  const asked = chatIn(input) ?? textIn(input);
  const answer = chatIn(output) ?? textIn(output);
  if (calls.length === 0) return answerRow(asked, answer, importer, context);
  const before: readonly Message[] = typeof asked === "string" ? [{ role: "user", content: asked }] : asked;
  const after: readonly Message[] = typeof answer === "string" ? [{ role: "assistant", content: answer }] : answer;
  return answerRow([...before, ...calls.flatMap(messagesOfCall)], after, importer, context);
}

/** Messages in any spelling: a list, an object with `messages`, one message, choices or items of an answer. */
export function chatIn(value: unknown): readonly Message[] | null {
  if (areResponseItems(value)) return messagesOfItems(value).messages;
  if (isMessages(value)) return value.flatMap(messagesOfAiSdk);
  if (Array.isArray(value)) {
    const choices = value.map((choice) => (isObject(choice) ? choice.message : undefined));
    return isMessages(choices) ? choices.slice(0, 1) : null;
  }
  if (!isObject(value)) return null;
  if (typeof value.role === "string" && ("content" in value || "parts" in value)) {
    return messagesOfAiSdk(value as Message);
  }
  return chatIn(value.messages ?? value.choices ?? null);
}

/** A text as it is; of an object that holds one text alone, that text; anything else as its JSON. */
function textIn(value: unknown): string {
  if (!isObject(value)) return textOf(value);
  const values = Object.values(value);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : textOf(value);
}

function messagesOfCall({ name, arguments: given, result, error }: LoggedCall, index: number): Message[] {
  // A call is found by its number: two of one tool may have run at once.
  const id = `call_${index}`;
  const wanted = isObject(given) || typeof given === "string" || isNothing(given) ? given : { input: given };
  const call = { id, type: "function", function: { name, arguments: wanted } };
  const asked: Message = { role: "assistant", content: "", tool_calls: [call] };
  if (result === undefined && error === null) return [asked];
  const content = Array.isArray(result) ? pyJson(result, { ascii: false }) : result;
  const answer: Message = {
    role: "tool",
    tool_call_id: id,
    name,
    content: isObject(content) ? content : textOf(content),
  };
  if (error !== null) answer.error = isObject(error) ? error : { message: textOf(error) };
  return [asked, answer];
}

function isAnswer({ role, content }: Message): boolean {
  if (role === "tool" || role === "function") return true;
  return Array.isArray(content) && content.some((block) => isObject(block) && block.type === "tool_result");
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
