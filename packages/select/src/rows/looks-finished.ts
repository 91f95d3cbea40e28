/**
 * Endings that close a sentence: the seven of the Python SDK's rule with quotes and brackets, then the same marks of
 * other scripts, which that rule reads as cut. An ellipsis is none: a reply that stops on one may have been cut.
 */
const CLOSING = new Set([...".!?:)\"']}", ..."。！？：）」』】”’»؟۔।॥｡"]);

/** An emoji, with its skin tone, joiner or variation selector: chat models end on one as on a full stop. */
const EMOJI_END = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d)*$/u;

/** `#### 42`, `-3`, `$1,234.50`, `42%`: a line that is only an answer. */
const ANSWER_LINE = /^(?:#{2,4}\s*)?[+-]?\$?\d[\d,]*(?:\.\d+)?%?$/;

const SIGN_OFF =
  /^(?:-{2,}|—|best|all the best|(?:kind|best|warm) regards|regards|thanks|thank you|many thanks|cheers|sincerely|warmly|yours (?:truly|sincerely)|take care|talk soon)\b/i;

const MAX_SIGN_OFF_WORDS = 6;
const MAX_NAME_WORDS = 5;

/**
 * Does a reply read as brought to its end? Closing punctuation, an even number of code fences, a bare answer on the
 * last line, a sign-off, or a name under one. A text that reads as cut may still be whole ("Done"), so callers ask
 * only about long ones.
 */
export function looksFinished(text: string): boolean {
  const trimmed = text.trimEnd();
  if (trimmed === "") return false;
  if (CLOSING.has(trimmed.at(-1)!) || EMOJI_END.test(trimmed.slice(-12))) return true;
  if (trimmed.endsWith("```")) return (trimmed.split("```").length - 1) % 2 === 0;

  const lines = lastLines(trimmed);
  const last = lines.at(-1)!;
  if (ANSWER_LINE.test(last)) return true;
  if (wordCount(last) <= MAX_SIGN_OFF_WORDS && SIGN_OFF.test(last)) return true;
  const before = lines.at(-2);
  if (before === undefined || wordCount(last) > MAX_NAME_WORDS || !/^[\p{Lu}\p{Pd}]/u.test(last)) return false;
  return before.endsWith(",") || (wordCount(before) <= MAX_SIGN_OFF_WORDS && SIGN_OFF.test(before));
}

/** The last two lines that are not blank, trimmed. The rest of a long reply is not looked at. */
function lastLines(text: string): string[] {
  const lines: string[] = [];
  let end = text.length;
  while (end > 0 && lines.length < 2) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== "") lines.unshift(line);
    end = start - 1;
  }
  return lines;
}

function wordCount(line: string): number {
  return line.split(/\s+/).length;
}
