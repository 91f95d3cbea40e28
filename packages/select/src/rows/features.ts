import { blockText, codePointLength, isObject, type Message, type Row, textOf, toolCalls } from "@while/schema";
import { spokenMessages } from "./spoken-messages.ts";

/**
 * How much the agent said, in code points: every assistant message, and the final text when the last assistant
 * message does not already say it. What tools returned never counts.
 */
export function replyLength(row: Row): number {
  let length = 0;
  let last = "";
  for (const message of spokenMessages(row)) {
    if (!isAssistant(message)) continue;
    last = blockText(message.content);
    length += codePointLength(last);
  }
  const finalText = textOf(row.final_text);
  return finalText === "" || finalText === last ? length : length + codePointLength(finalText);
}

/**
 * How many tool calls the agent made: steps with a tool, else those of `tool_trace`, else, in a row that carries
 * only messages, the calls in them. The Python SDK reads no messages here and takes such a row for one without calls.
 */
export function toolCallCount(row: Row): number {
  const calls = toolSteps(row).length;
  if (calls > 0 || !Array.isArray(row.messages)) return calls;
  let inMessages = 0;
  for (const message of row.messages) if (isAssistant(message)) inMessages += toolCalls(message).length;
  return inMessages;
}

/** The steps that call a tool, in order; those of `tool_trace` where `steps` is empty. */
export function toolSteps(row: Row): readonly Record<string, unknown>[] {
  const steps = Array.isArray(row.steps) && row.steps.length > 0 ? row.steps : row.tool_trace;
  if (!Array.isArray(steps)) return [];
  return steps.filter((step): step is Record<string, unknown> => isObject(step) && textOf(step.tool) !== "");
}

/**
 * How many turns the agent took: the assistant messages of the conversation. A final text in other words than a
 * spoken last step is more text (`replyLength` has it), not one more turn, as in the Python SDK.
 */
export function assistantTurns(row: Row): number {
  const messages = spokenMessages(row);
  const turns = messages.reduce((count, message) => count + (isAssistant(message) ? 1 : 0), 0);
  return messages === row.messages || !restatesLastStep(row) ? turns : turns - 1;
}

function restatesLastStep(row: Row): boolean {
  const last = Array.isArray(row.steps) ? row.steps.at(-1) : undefined;
  if (!isObject(last) || textOf(last.tool) !== "" || textOf(last.user) !== "") return false;
  const spoken = textOf(last.text);
  const finalText = textOf(row.final_text);
  return spoken.trim() !== "" && finalText !== "" && finalText !== spoken;
}

function isAssistant(message: unknown): message is Message {
  return isObject(message) && message.role === "assistant";
}
