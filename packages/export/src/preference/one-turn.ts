import { argumentTree } from "../conversation/argument-text.ts";
import { JsonNumber } from "../json/json-number.ts";
import type { WireMessage } from "../training-row.ts";

/** Where two conversations part. */
export interface Divergence {
  /** Index of the first message that differs: an agent turn on both sides, with something before it. */
  at: number;
  /** Either side goes on behind it. */
  cut: boolean;
}

/**
 * The one turn that a preference trainer may compare. It masks the prompt and scores every token of a side (Rafailov
 * et al. 2023, arXiv:2305.18290), so a tool's answer or a later ask that is left on a side would carry gradient.
 *
 * Ids of calls do not count: the same call under two ids is the same turn. The Python SDK compares whole messages and
 * then pairs a call with itself.
 *
 * @returns null when they part nowhere, at once, or where one of them is not the agent's to say
 */
export function oneTurn(chosen: readonly WireMessage[], rejected: readonly WireMessage[]): Divergence | null {
  const shorter = Math.min(chosen.length, rejected.length);
  let at = 0;
  while (at < shorter && turnKey(chosen[at]!) === turnKey(rejected[at]!)) at++;
  if (at < 1 || at >= shorter) return null;
  if (chosen[at]!.role !== "assistant" || rejected[at]!.role !== "assistant") return null;
  return { at, cut: Math.max(chosen.length, rejected.length) > at + 1 };
}

/**
 * The turn of a pair that was sampled there on purpose.
 *
 * @param branch Number of the agent turn, the first is 0
 * @returns null when a side has no such turn, when they differ before it, or when it is one and the same
 */
export function branchTurn(
  { chosen, rejected }: { chosen: readonly WireMessage[]; rejected: readonly WireMessage[] },
  branch: number,
): Divergence | null {
  const parting = oneTurn(chosen, rejected);
  const turns = chosen.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  return parting !== null && parting.at === turns[branch] ? parting : null;
}

/** Whether both begin with the same agent turn. */
export function beginAlike(chosen: readonly WireMessage[], rejected: readonly WireMessage[]): boolean {
  const first = (messages: readonly WireMessage[]) => messages.find(({ role }) => role === "assistant");
  const [one, other] = [first(chosen), first(rejected)];
  return one !== undefined && other !== undefined && turnKey(one) === turnKey(other);
}

/** Equal for turns that say and do the same: role, text, and calls by name and arguments, keys in any order. */
function turnKey({ role, content, tool_calls: calls = [] }: WireMessage): string {
  const called = calls.map(({ function: { name, arguments: given } }) => [name, ordered(argumentTree(given))]);
  return JSON.stringify([role, content, called]);
}

function ordered(value: unknown): unknown {
  // 1 and 1.0 are one number; an integer that a double cannot hold is told apart by its digits.
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? [value.text] : Number(value.text);
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, ordered(member)] as const);
  return { keys: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
}
