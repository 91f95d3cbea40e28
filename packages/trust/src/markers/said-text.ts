import { assistantText, blockText, isObject, messagesOf, type Row, textOf } from "@while/schema";
import { foldText } from "./fold-text.ts";
import { languageOf } from "./language-of.ts";
import type { MarkerRules } from "./marker-rules.ts";

/** What an agent said in a row, as phrases are looked for in it. */
export interface SaidText {
  /** Each message on its own; one text of all of it by the first rules. */
  parts: readonly string[];
  /** "en", another code, or the name of a script. */
  language: string;
}

/** Characters of a message that are read. A reply this long is a listing. */
const MAX_PART = 200_000;

/**
 * What the agent said. By `v1` all of it in one text, as letters. By `v2` message by message, folded, and without what
 * is not its own: fenced code, block quotes, inline code and quoted passages.
 */
export function saidText(row: Row, rules: MarkerRules): SaidText {
  if (rules === "v1") return { parts: [assistantText(row)], language: "en" };
  const parts: string[] = [];
  const seen = new Set<string>();
  const say = (text: string) => {
    if (seen.has(text)) return;
    seen.add(text);
    const own = foldText(ownWords(text.slice(0, MAX_PART)));
    if (own.trim() !== "") parts.push(own);
  };
  for (const message of messagesOf(row)) {
    if (isObject(message) && message.role === "assistant") say(blockText(message.content));
  }
  say(textOf(row.final_text));
  return { parts, language: languageOf(parts.join("\n")) };
}

const CALL_MARKUP = /<(tool_call|function|think|function_calls)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;

/** The text without what it quotes. A fence or a tag that is not closed reaches to the end. */
function ownWords(text: string): string {
  const unfenced = withoutFences(text).replace(CALL_MARKUP, " ");
  return unfenced
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»/g, " ");
}

function withoutFences(text: string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = /^\s*(?:[-*>]\s*)?(```+|~~~+)/.exec(line)?.[1];
    if (fence === null) {
      if (mark === undefined) kept.push(line);
      else fence = mark;
    } else if (mark?.startsWith(fence)) fence = null;
  }
  return kept.join("\n");
}
