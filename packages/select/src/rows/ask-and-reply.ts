import { fromMessages, type Row, textOf } from "@while/schema";

/**
 * What was asked, and what the agent said last. A row may have its messages alone, as chat logs and the files of trainers
 * do: both are told there.
 */
export function askAndReply(row: Row): { ask: string; reply: string } {
  const { prompt, final_text: said, messages } = row;
  const isTold = isGiven(prompt) && isGiven(said);
  const told = isTold || !Array.isArray(messages) ? { prompt: "", final_text: "" } : fromMessages(messages);
  return {
    ask: isGiven(prompt) ? textOf(prompt) : told.prompt,
    reply: isGiven(said) ? textOf(said) : told.final_text,
  };
}

/** "" is a reply: an empty one. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
