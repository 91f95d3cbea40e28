import { normText, type Row } from "@while/schema";
import { callTimeline } from "./call-timeline.ts";

/** A tool call and everything the agent could have drawn its arguments from. */
export interface CallWithContext {
  tool: string;
  arguments: Record<string, unknown>;
  /** Prompt, system prompt, user turns and earlier results in normal form; none of the agent's own words. */
  context: string;
}

/**
 * The calls of a rollout, in order, each with its context: from steps, else messages, else `<tool_call>` blocks of the
 * final text.
 */
export function toolCallsOf(row: Row): CallWithContext[] {
  const { pieces, calls } = callTimeline(row);
  const normal = pieces.map(({ text }) => normText(text));
  return calls.map(({ tool, arguments: given, nPieces }) => ({
    tool,
    arguments: given,
    context: normal
      .slice(0, nPieces)
      .filter((text) => text !== "")
      .join(" "),
  }));
}
