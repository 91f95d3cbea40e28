import { normText, splitWords } from "@while/schema";

/** What a line is judged by. */
export interface UserLineContext {
  /** The agent's last words. */
  agentText: string;
  /** What the person has said before. */
  said: readonly string[];
}

/** Why a line of the simulated person is not kept; null when it is. */
export type UserLineGate = (line: string, context: UserLineContext) => string | null;

const MAX_CHARS = 2000;
const YES_NO = /^(?:yes|no|yep|nope|yeah|correct|right|sure|please do|go ahead)\b/i;
const CONFIRMS = /\b(?:confirm|correct|is that right|shall i|should i|would you like|do you want|proceed)\b/i;
const RUBBER_STAMP = /^(?:ok(?:ay)?|thanks?|thank you|great|cool|fine|got it|alright|perfect|sounds good)[.! ]*$/i;
const THANKS = /\b(?:thanks?|thank|appreciate|grateful)\b/gi;
const CALL_SYNTAX = /<\/?tool_call>|"(?:name|arguments)"\s*:|\bfunction_call\b/;
const IDENTIFIER = /\b[A-Za-z]{0,6}[-_]?\d{3,}\b/;

/** The gate for English. For another language give a gate of one's own, or `anyLine`. */
export const englishLineGate: UserLineGate = (line, { agentText, said }) => {
  const text = line.trim();
  if (text === "") return "empty";
  if (text.length > MAX_CHARS) return "too long";
  if (CALL_SYNTAX.test(text) || (text.match(/"/g) ?? []).length >= 4) return "syntax of a call";
  if (said.some((earlier) => normText(earlier) === normText(text))) return "said before";
  if (text.length <= 60 && YES_NO.test(text) && CONFIRMS.test(agentText)) return null;
  if (RUBBER_STAMP.test(text)) return "a rubber stamp";
  const words = splitWords(text);
  if ((text.match(THANKS) ?? []).length / words.length >= 0.25 && !text.includes("?")) return "only thanks";
  const hasId = IDENTIFIER.test(text);
  if (text.length < (hasId ? 3 : 8)) return "too short";
  const own = contentWords(text);
  const theirs = new Set(contentWords(agentText));
  if (!/\d/.test(text) && own.length >= 4 && shareIn(own, theirs) >= 0.7) return "a restatement";
  const echoes = said.some(
    (earlier) => splitWords(earlier).length >= 5 && shareIn(own, new Set(contentWords(earlier))) >= 0.78,
  );
  return echoes && own.length > 0 ? "an echo of an earlier line" : null;
};

/** Only what no language wants. */
export const anyLine: UserLineGate = (line, { said }) => {
  if (line.trim() === "") return "empty";
  return said.includes(line.trim()) ? "said before" : null;
};

function contentWords(text: string): string[] {
  return normText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3);
}

function shareIn(words: readonly string[], others: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => others.has(word)).length / words.length;
}
