import { isObject, type Step, textOf } from "@while/schema";
import type { AgentReply } from "../agent/agent.ts";

/** A reply in one form. */
export interface NormalReply extends AgentReply {
  steps: readonly Step[];
  final_text: string;
}

/**
 * What an agent returned, in one form. A bare value is a final text over the calls that were made; an object with neither
 * `steps` nor `final_text` is a mistake (a chat message, mostly) and reads as an error that says what was expected, so
 * that it is not taken for an agent that says nothing.
 */
export function normaliseReply(raw: unknown, calls: readonly Step[] = []): NormalReply {
  if (!isObject(raw)) return { steps: calls, final_text: textOf(raw) };
  const given = { ...raw } as Record<string, unknown>;
  for (const [camel, wire] of CAMEL)
    if (given[wire] === undefined && given[camel] !== undefined) given[wire] = given[camel];
  if (given.steps === undefined && given.final_text === undefined) {
    const keys = Object.keys(raw).join(", ") || "none";
    const what = `the reply has neither steps nor final_text; its keys: ${keys}`;
    return { steps: calls, final_text: agentError("TypeError", what) };
  }
  const steps = Array.isArray(given.steps) ? given.steps.filter((step): step is Step => isObject(step)) : calls;
  const reply = { ...given, steps, final_text: textOf(given.final_text) };
  for (const [camel] of CAMEL) delete (reply as Record<string, unknown>)[camel];
  return reply;
}

/** The final text of a rollout whose agent raised. */
export function agentError(type: string, message: string): string {
  return `<agent error: ${type}: ${message}>`;
}

const CAMEL: readonly (readonly [camel: string, wire: string])[] = [
  ["finalText", "final_text"],
  ["finishReason", "finish_reason"],
  ["endedBy", "ended_by"],
  ["nTokens", "n_tokens"],
  ["tokenLogprobs", "token_logprobs"],
];
