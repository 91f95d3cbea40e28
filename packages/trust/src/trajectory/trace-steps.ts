import { blockText, isObject, type Message, type Row, textOf, toolCalls } from "@while/schema";
import { checkMarkerRules, type MarkerRules } from "../markers/marker-rules.ts";
import { argumentsOf, callsInText, isShellAnswer, showsCalls, toolCallBlocks } from "./calls-in-text.ts";
import { isTruthy, stepFailed } from "./step-failed.ts";

/** One call of a rollout. */
export interface TraceStep {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  /** undefined where the row holds no answer. */
  result: unknown;
  failed: boolean;
}

/** A rollout as it went: words of the user, words of the agent, calls. */
export interface TraceEvents {
  steps: TraceStep[];
  asked: string[];
  /** What the agent said, each with the number of calls before it. */
  said: { text: string; after: number }[];
  /** Calls happened that no reader here understands. */
  unreadable: boolean;
}

/**
 * The calls of a rollout in their order, from `steps` or `tool_trace`, else from `messages`, else from `<tool_call>`
 * blocks of the reply. v2 also reads Anthropic blocks, XML calls in assistant text, fenced commands of agents whose
 * protocol is one command a message, and the old `function_call`.
 *
 * @throws TrustError `bad_option` for rules that do not exist
 */
export function traceSteps(row: Row, { rules = "v2" }: { rules?: MarkerRules } = {}): TraceStep[] {
  checkMarkerRules(rules);
  return traceEvents(row, rules).steps;
}

/** The whole of a rollout, of which `traceSteps` are the calls. */
export function traceEvents(row: Row, rules: MarkerRules): TraceEvents {
  const read = eventsOfSteps(listOf(row.steps) ?? listOf(row.tool_trace) ?? [], rules);
  if (read.steps.length === 0) {
    const inMessages = eventsOfMessages((listOf(row.messages) ?? []) as Message[], rules);
    read.steps = inMessages.steps;
    read.unreadable = inMessages.unreadable;
    if (inMessages.said.length + inMessages.asked.length > 0) {
      read.asked = inMessages.asked;
      read.said = inMessages.said;
    }
  } else if (read.said.length === 0 && rules === "v2") {
    // The turns stand beside the steps: who said what is known, and not before which call.
    const beside = eventsOfMessages((listOf(row.messages) ?? []) as Message[], rules);
    read.asked.push(...beside.asked);
    read.said = beside.said.map(({ text }) => ({ text, after: read.steps.length }));
  }
  const reply = textOf(row.final_text);
  if (read.steps.length === 0) {
    const blocks = rules === "v1" ? toolCallBlocks(reply) : callsInText(reply, { fenced: false });
    read.steps = blocks.map((call) => ({ ...call, result: undefined, failed: false }));
    read.unreadable ||= read.steps.length === 0 && showsCalls(reply);
  }
  if (read.steps.length > 0) read.unreadable = false;
  return read;
}

function listOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) && value.length > 0 ? value : null;
}

function eventsOfSteps(entries: readonly unknown[], rules: MarkerRules): TraceEvents {
  const events: TraceEvents = { steps: [], asked: [], said: [], unreadable: false };
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    if (typeof entry.user === "string") events.asked.push(entry.user);
    if (typeof entry.text === "string") events.said.push({ text: entry.text, after: events.steps.length });
    if (!isTruthy(entry.tool)) continue;
    events.steps.push({
      tool: textOf(entry.tool),
      arguments: argumentsOf(entry.arguments ?? entry.input),
      result: entry.result ?? entry.output,
      failed: stepFailed(entry, { rules }),
    });
  }
  return events;
}

function eventsOfMessages(messages: readonly Message[], rules: MarkerRules): TraceEvents {
  return rules === "v1" ? compatMessages(messages) : strictMessages(messages);
}

function compatMessages(messages: readonly Message[]): TraceEvents {
  const events: TraceEvents = { steps: [], asked: [], said: [], unreadable: false };
  const answers = new Map<unknown, unknown>();
  for (const message of messages) {
    if (isObject(message) && message.role === "tool" && isTruthy(message.tool_call_id)) {
      answers.set(message.tool_call_id, message.content);
    }
  }
  for (const message of messages) {
    if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.tool_calls)) continue;
    for (const call of message.tool_calls) {
      if (!isObject(call)) continue;
      const called = isObject(call.function) ? call.function : call;
      if (!isTruthy(called.name)) continue;
      const answered = isTruthy(call.id) && answers.has(call.id);
      const result = answered ? answers.get(call.id) : undefined;
      events.steps.push({
        tool: textOf(called.name),
        arguments: argumentsOf(called.arguments ?? called.input),
        result,
        failed: answered && stepFailed({ result }, { rules: "v1" }),
      });
    }
  }
  return events;
}

function strictMessages(messages: readonly Message[]): TraceEvents {
  const events: TraceEvents = { steps: [], asked: [], said: [], unreadable: false };
  const open = new Map<string, TraceStep[]>();
  let waiting: TraceStep[] = [];
  let unread = false;
  const answer = (id: unknown, result: unknown, more: object = {}): boolean => {
    const step =
      (typeof id === "string" ? open.get(id)?.shift() : undefined) ?? waiting.find((one) => one.result === undefined);
    if (step === undefined) return false;
    step.result = result ?? "";
    step.failed = stepFailed({ result, ...more });
    return true;
  };
  for (const [i, message] of messages.entries()) {
    if (!isObject(message)) continue;
    const text = blockText(message.content);
    if (message.role === "assistant") {
      waiting = [];
      if (text !== "") events.said.push({ text, after: events.steps.length });
      const calls = toolCalls(message).filter(({ name }) => name !== "");
      const next = messages[i + 1];
      const answered = next !== undefined && next.role !== "assistant" ? blockText(next.content) : "";
      const written = calls.length > 0 ? [] : callsInText(text, { fenced: isShellAnswer(answered) });
      for (const call of calls) {
        const step = { tool: call.name, arguments: call.arguments, result: undefined, failed: false };
        if (call.id === undefined) waiting.push(step);
        else open.set(call.id, [...(open.get(call.id) ?? []), step]);
        events.steps.push(step);
      }
      for (const call of written) {
        const step = { ...call, result: undefined, failed: false };
        waiting.push(step);
        events.steps.push(step);
      }
      unread ||= calls.length + written.length === 0 && showsCalls(text);
    } else if (message.role === "tool" || message.role === "function") {
      if (
        !answer(message.tool_call_id, typeof message.content === "string" ? message.content : text || message.content)
      )
        unread = true;
    } else if (message.role === "user") {
      let answers = 0;
      for (const block of Array.isArray(message.content) ? message.content : []) {
        if (isObject(block) && block.type === "tool_result") {
          answers++;
          answer(block.tool_use_id, blockText(block.content), { is_error: block.is_error === true });
        }
      }
      if (answers === 0 && waiting.some((step) => step.result === undefined)) answer(null, text);
      else if (text !== "" && isShellAnswer(text)) unread = true;
      else if (text !== "") events.asked.push(text);
    }
  }
  events.unreadable = unread && events.steps.length === 0;
  return events;
}
