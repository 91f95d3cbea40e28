import { isObject } from "../is-object.ts";
import type { Message, Row } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/** How a `final_text` begins when the agent raised instead of answering. */
export const AGENT_ERROR_PREFIX = "<agent error";

/**
 * The conversation that a row's opener, prompt, steps and final text tell, as messages. The system prompt is not
 * part of it; exporters put it in front. Tool calls are flat, `{name, arguments}`, and their answers carry the
 * tool's name.
 *
 * Unlike the Python SDK it keeps the question that `final_text` alone answers, keeps a final text that an earlier
 * turn had word for word, leaves an unanswered call unanswered, and says the first ask once. A final text that is
 * the last thing the agent said is not said again behind the calls that followed: such a rollout ended on a call.
 */
export function conversation(row: Row): Message[] {
  const messages: Message[] = [];
  const opener = textOf(row.opener);
  const prompt = textOf(row.prompt);
  if (opener !== "") messages.push({ role: "assistant", content: opener });
  if (prompt !== "") messages.push({ role: "user", content: prompt });
  if (Array.isArray(row.steps)) {
    for (let i = 0; i < row.steps.length; i++) pushStep(messages, row.steps[i], i === 0 ? prompt : "");
  }
  closeWith(messages, textOf(row.final_text));
  return messages;
}

/** The messages a row carries, or, where it carries none, the conversation its steps tell. */
export function messagesOf(row: Row): readonly Message[] {
  return Array.isArray(row.messages) && row.messages.length > 0 ? row.messages : conversation(row);
}

function pushStep(messages: Message[], step: unknown, alreadySaid: string): void {
  if (!isObject(step)) return;
  const user = textOf(step.user);
  const tool = textOf(step.tool);
  const text = textOf(step.text);
  if (user !== "") {
    if (user !== alreadySaid) messages.push({ role: "user", content: user });
  } else if (tool !== "") {
    // Arguments that were no object stay the text they were, so that a reader of the call finds the fault.
    const given = step.raw_arguments ?? step.arguments ?? {};
    messages.push({ role: "assistant", content: text, tool_calls: [{ name: tool, arguments: given }] });
    const { result } = step;
    if (result === undefined) return;
    const content = typeof result === "string" ? result : pyJson(result, { ascii: false });
    messages.push({ role: "tool", name: tool, content });
  } else if (text !== "") {
    messages.push({ role: "assistant", content: text });
  }
}

/** Ends the conversation with the final text, where it does not end so already. */
function closeWith(messages: Message[], finalText: string): void {
  const isSaid = finalText === "" || finalText === lastReply(messages);
  if (isSaid && !finalText.startsWith(AGENT_ERROR_PREFIX)) {
    // The simulated user's parting line has no reply.
    while (messages.length > 1 && messages.at(-1)?.role === "user") messages.pop();
  }
  if (isSaid) return;
  const last = messages.at(-1);
  const isBlank = last?.role === "assistant" && last.tool_calls === undefined && String(last.content).trim() === "";
  if (isBlank) last.content = finalText;
  else messages.push({ role: "assistant", content: finalText });
}

function lastReply(messages: readonly Message[]): unknown {
  return messages.findLast(({ role, content }) => role === "assistant" && content !== "")?.content;
}
