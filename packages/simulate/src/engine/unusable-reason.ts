import { AGENT_ERROR_PREFIX, type Row, textOf } from "@while/schema";

/** What makes a reply no reply. */
export type UnusableReason = "agent_error" | "empty_reply" | "tool_markup";

const MARKUP = /<\/?tool_call\b/i;
const SCHEMA_DUMP = /"name"\s*:\s*"[^"]*"[\s\S]{0,500}?"description"\s*:[\s\S]{0,500}?"parameters"\s*:/;

/** Why a rollout says nothing that could be graded: it raised, it is empty, or tool markup leaked into its words. */
export function unusableReason({ final_text, steps }: Row): UnusableReason | null {
  const reply = textOf(final_text).trim();
  if (reply.toLowerCase().startsWith(AGENT_ERROR_PREFIX)) return "agent_error";
  if (reply === "") return "empty_reply";
  const said = [reply, ...(steps ?? []).map((step) => textOf(step?.text))];
  return said.some((text) => MARKUP.test(text) || SCHEMA_DUMP.test(text)) ? "tool_markup" : null;
}
