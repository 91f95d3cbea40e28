import type { Row } from "../row.ts";
import { textOf } from "../text/text-of.ts";
import { blockText } from "./block-text.ts";
import { messagesOf } from "./conversation.ts";

/**
 * Everything the agent said in a row, lower-cased and joined by line breaks: the final text, then every assistant
 * message of its conversation. The final text is thus in it twice; it is for searching, not for counting.
 */
export function assistantText(row: Row): string {
  const said: string[] = [];
  const finalText = textOf(row.final_text);
  if (finalText !== "") said.push(finalText);
  for (const message of messagesOf(row)) {
    if (message?.role !== "assistant") continue;
    const text = blockText(message.content);
    if (text !== "") said.push(text);
  }
  return said.join("\n").toLowerCase();
}
