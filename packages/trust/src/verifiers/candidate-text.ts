import { blockText, type Row, textOf } from "@while/schema";

/**
 * What a verifier checks: the row's final text, else what the assistant said last since the user's last turn, else "". What
 * it said to an earlier ask is no answer to this one; the Python SDK takes that too.
 */
export function candidateText(row: Row): string {
  const final = textOf(row.final_text);
  if (final !== "") return final;
  const said = Array.isArray(row.messages) ? row.messages : [];
  for (let i = said.length - 1; i >= 0; i--) {
    if (said[i]?.role === "user") return "";
    if (said[i]?.role !== "assistant") continue;
    const text = blockText(said[i]?.content);
    if (text !== "") return text;
  }
  return "";
}
