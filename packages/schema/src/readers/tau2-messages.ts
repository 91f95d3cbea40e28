import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message } from "../row.ts";

/** A conversation in which the user may have tools too. */
export interface Tau2Messages {
  /** Everything that was said and called, a message each, answers with the id of their call. */
  all: readonly Message[];
  /** Without the user's calls and their answers. */
  ofAgent: readonly Message[];
  nUserCalls: number;
}

/** Takes the agent's part out of a conversation. Answers stand alone or several in one message. */
export function agentMessages(messages: readonly Message[]): Tau2Messages {
  const all = messages.flatMap(flattened).map(withCallId);
  let nUserCalls = 0;
  const ofAgent: Message[] = [];
  for (const message of all) {
    const { requestor, tool_calls: calls } = message;
    if (message.role === "tool" && requestor === "user") continue;
    const { tool_calls: _, ...silent } = message;
    if (message.role !== "user") ofAgent.push(message);
    else ofAgent.push(silent as Message);
    if (message.role === "user" && Array.isArray(calls)) nUserCalls += calls.length;
  }
  return { all, ofAgent, nUserCalls };
}

/** Lists of a tick in the order in which they happen. */
const TICK_PARTS: readonly string[] = [
  ...["agent_chunk", "user_chunk"],
  ...["agent_tool_calls", "agent_tool_results", "user_tool_calls", "user_tool_results"],
];

/**
 * The messages of a voice run, which is stored by ticks: in the order of a tick's parts, then by their timestamps. `rest`
 * is what the ticks hold beside them; null when there are no ticks.
 */
export function messagesOfTicks(ticks: unknown): { messages: Message[]; rest: readonly SourceObject[] | null } {
  if (!Array.isArray(ticks)) return { messages: [], rest: null };
  const messages: Message[] = [];
  const rest: SourceObject[] = [];
  for (const tick of ticks) {
    if (!isObject(tick)) continue;
    for (const part of TICK_PARTS) messages.push(...messagesOfPart(part, tick[part]));
    rest.push(Object.fromEntries(Object.entries(tick).filter(([key]) => !TICK_PARTS.includes(key))));
  }
  const at = ({ timestamp }: Message) => (typeof timestamp === "string" ? timestamp : "");
  // A stable sort: what has no time, or the same one, stays where it stood.
  if (messages.every((message) => at(message) !== "")) {
    messages.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
  }
  return { messages, rest };
}

function messagesOfPart(part: string, value: unknown): Message[] {
  const items = (Array.isArray(value) ? value : [value]).filter(isObject);
  if (items.length === 0) return [];
  if (!part.endsWith("_tool_calls")) return items as unknown as Message[];
  const role = part.startsWith("agent") ? "assistant" : "user";
  const times = items.map(({ timestamp }) => timestamp).filter((time) => typeof time === "string");
  return [{ role, content: null, tool_calls: items, ...(times.length > 0 ? { timestamp: times[0] } : {}) }];
}

function flattened(message: Message): readonly Message[] {
  const { tool_messages: answers } = message;
  return Array.isArray(answers) ? answers.filter(isObject).map((answer) => ({ role: "tool", ...answer })) : [message];
}

/** The id of an answer is that of its call. */
function withCallId(message: Message): Message {
  if (message.role !== "tool" || message.tool_call_id !== undefined || typeof message.id !== "string") return message;
  return { ...message, tool_call_id: message.id };
}
