import { blockText, codePointLength, messagesOf, type Row, textOf } from "@while/schema";

/** Characters that the agent said: every turn of it, and the final text where that is none of them. */
export function replyLength(row: Row): number {
  const said = messagesOf(row).flatMap(({ role, content }) => (role === "assistant" ? [blockText(content)] : []));
  const finalText = textOf(row.final_text);
  if (finalText !== (said.at(-1) ?? "")) said.push(finalText);
  return said.reduce((chars, text) => chars + codePointLength(text), 0);
}
