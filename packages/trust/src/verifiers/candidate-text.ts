import { blockText, type Row, textOf } from "@while/schema";

/** What a verifier checks: the row's final text, else the last assistant message that says something, else "". */
export function candidateText(row: Row): string {
  const final = textOf(row.final_text);
  if (final !== "") return final;
  const said = Array.isArray(row.messages) ? row.messages : [];
  for (let i = said.length - 1; i >= 0; i--) {
    if (said[i]?.role !== "assistant") continue;
    const text = blockText(said[i]?.content);
    if (text !== "") return text;
  }
  return "";
}
