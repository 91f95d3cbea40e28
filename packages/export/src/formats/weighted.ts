import type { WirePair } from "../preference/wire-pair.ts";
import type { TrainingRow, WireMessage } from "../training-row.ts";
import type { FormatRow } from "./format-spec.ts";

/** A message of a chat API for tuning: `weight` says of an agent turn whether it trains. */
export interface WeightedMessage extends Omit<WireMessage, "content"> {
  content?: string;
  weight?: 0 | 1;
}

/**
 * Rows of the tuning services that take chat messages with a `weight` on agent turns. They refuse or misread what they
 * do not know, so nothing else is on the row.
 *
 * @param endsWithAgent Cut what stands behind the last agent turn, where the service asks for that
 */
export function weightedRow(
  { messages, loss_mask: mask, tools }: TrainingRow,
  write: (message: WireMessage) => WeightedMessage,
  { endsWithAgent = false }: { endsWithAgent?: boolean } = {},
): FormatRow | null {
  const end = endsWithAgent ? messages.findLastIndex(({ role }) => role === "assistant") + 1 : messages.length;
  if (end === 0) return null;
  let trainedMessages = 0;
  const weighted = messages.slice(0, end).map((message, index) => {
    const written = write(message);
    if (message.role !== "assistant") return written;
    trainedMessages += mask[index]!;
    return { ...written, weight: mask[index]! };
  });
  return {
    row: { messages: weighted, ...(tools === undefined ? {} : { tools }) },
    trainedMessages,
    maskedMessages: end - trainedMessages,
    trailingMessages: messages.length - end,
  };
}

/** The message without the name of the tool that answered, which these services do not know. */
export function unnamed({ name: _, ...message }: WireMessage): WireMessage {
  return message;
}

/** A pair as OpenAI's preference tuning takes it, and those who follow it. */
export function preferredOutputs(
  { prompt, chosen, rejected, tools }: WirePair,
  { emptyTools }: { emptyTools: boolean },
): Record<string, unknown> {
  const schemas = tools ?? (emptyTools ? [] : undefined);
  return {
    input: { messages: prompt.map(unnamed), ...(schemas === undefined ? {} : { tools: schemas }) },
    preferred_output: chosen.map(unnamed),
    non_preferred_output: rejected.map(unnamed),
  };
}

/** Answers without their call and calls without their answer, which such services refuse; null when all fit. */
export function linkProblem(messages: readonly WireMessage[]): string | null {
  let open = new Set<string>();
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === "tool") {
      if (id === undefined || !open.delete(id)) return "a tool's answer belongs to no call of the turn before it";
      continue;
    }
    if (open.size > 0) return `the call ${[...open][0]} is never answered`;
    open = new Set(calls?.map((call) => call.id));
  }
  return null;
}
