import type { ToolSchema } from "@while/schema";
import type { TrainingRow } from "../training-row.ts";
import { type BlockConversation, blockProblem, blockTurns } from "./block-turns.ts";
import type { FormatRow, FormatSettings, FormatSpec } from "./format-spec.ts";

/** What formats of turns and blocks share: every agent turn trains, and no column can say otherwise. */
export const BLOCK_FORMAT: Pick<
  FormatSpec,
  "encoding" | "rewritesCalls" | "masks" | "options" | "carry" | "fixedColumns" | "parallelCalls" | "requires" | "check"
> = {
  encoding: "dict",
  rewritesCalls: true,
  masks: { assistant: "default", final: "no", unroll: "no" },
  options: ["prependUser"],
  carry: "none",
  fixedColumns: true,
  parallelCalls: "yes",
  requires: () => [],
  check: (_, { messages }, { prependUser }) => blockProblem(messages, prependUser),
};

/** A row of turns and blocks that ends with the agent's turn; null without one. */
export function blockRow(
  { messages, tools }: TrainingRow,
  { prependUser }: FormatSettings,
  write: (conversation: BlockConversation, tools: readonly ToolSchema[] | undefined) => Record<string, unknown>,
): FormatRow | null {
  const end = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  if (end === 0) return null;
  const kept = messages.slice(0, end);
  const trainedMessages = kept.filter(({ role }) => role === "assistant").length;
  return {
    row: write(blockTurns(kept, prependUser), tools),
    trainedMessages,
    maskedMessages: end - trainedMessages,
    trailingMessages: messages.length - end,
  };
}
