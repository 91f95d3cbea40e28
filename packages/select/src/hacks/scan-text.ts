import { blockText, isObject, type Row, textOf } from "@while/schema";
import { spokenMessages } from "../rows/spoken-messages.ts";

/** Everything the agent said: the final text, then every assistant message that says something else. */
export function scanText(row: Row): string {
  const finalText = textOf(row.final_text);
  const parts = [finalText];
  for (const message of spokenMessages(row)) {
    if (!isObject(message) || message.role !== "assistant") continue;
    const text = blockText(message.content);
    if (text !== "" && text !== finalText) parts.push(text);
  }
  return parts.join("\n");
}
