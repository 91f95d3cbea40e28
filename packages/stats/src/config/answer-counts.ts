import { isObject, type Row } from "@while/schema";

export interface AnswerCounts {
  /** Rows with something said once reasoning markup is gone. */
  answered: number;
  /** Rows that end inside an open `<think>`: the budget ran out before the answer. */
  unclosed: number;
  /** Rows that carry a reply field at all; the other two are shares of these. */
  withReply: number;
}

const OPEN = "<think>";
const CLOSE = "</think>";

/** How many replies say something to the user, beside their reasoning. */
export function answerCounts(rows: readonly Row[]): AnswerCounts {
  const counts: AnswerCounts = { answered: 0, unclosed: 0, withReply: 0 };
  for (const row of rows) if (isObject(row)) countAnswer(counts, row);
  return counts;
}

/** Adds one row to the counts. */
export function countAnswer(counts: AnswerCounts, row: Row): void {
  const reply = replyOf(row);
  if (reply === null) return;
  counts.withReply++;
  const { spoken, unclosed } = withoutReasoning(reply);
  if (spoken) counts.answered++;
  if (unclosed) counts.unclosed++;
}

/** The final text, else the last assistant message with text; null when the row has neither field. */
function replyOf({ final_text, messages }: Row): string | null {
  if (typeof final_text === "string" && final_text.trim() !== "") return final_text;
  if (!Array.isArray(messages)) return typeof final_text === "string" ? "" : null;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message: unknown = messages[i];
    if (!isObject(message) || message.role !== "assistant") continue;
    if (typeof message.content === "string" && message.content.trim() !== "") return message.content;
  }
  return "";
}

/** Templates that open the reasoning in the prompt leave a reply with only the closing tag. */
function withoutReasoning(reply: string): { spoken: boolean; unclosed: boolean } {
  let rest = reply;
  const firstClose = rest.indexOf(CLOSE);
  if (firstClose !== -1 && !rest.slice(0, firstClose).includes(OPEN)) rest = rest.slice(firstClose + CLOSE.length);
  let spoken = false;
  for (;;) {
    const open = rest.indexOf(OPEN);
    spoken ||= (open === -1 ? rest : rest.slice(0, open)).trim() !== "";
    if (open === -1) return { spoken, unclosed: false };
    const close = rest.indexOf(CLOSE, open);
    if (close === -1) return { spoken, unclosed: true };
    rest = rest.slice(close + CLOSE.length);
  }
}
