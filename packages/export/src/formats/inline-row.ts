import type { TrainingRow } from "../training-row.ts";
import type { FormatRow } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";

/**
 * A row of text messages, its calls inside the text.
 *
 * @param trains Whether the trainer takes loss on all agent turns, or on the last one
 * @param end Messages of the row that are kept
 */
export function inlineRow(
  { messages, tools }: TrainingRow,
  trains: "all" | "last",
  end: number = messages.length,
): FormatRow | null {
  if (end === 0) return null;
  const kept = messages.slice(0, end);
  const nTurns = kept.filter(({ role }) => role === "assistant").length;
  const trainedMessages = trains === "all" ? nTurns : Math.min(1, nTurns);
  return {
    row: { messages: inlineCalls(kept, tools) },
    trainedMessages,
    maskedMessages: end - trainedMessages,
    trailingMessages: messages.length - end,
  };
}

/** Messages up to the last agent turn, or for one turn that trains up to that; 0 without one. */
export function endOfTurns({ messages, loss_mask: mask }: TrainingRow, trains: "all" | "last"): number {
  return (trains === "all" ? messages.findLastIndex(({ role }) => role === "assistant") : mask.lastIndexOf(1)) + 1;
}
