export interface FinishedOptions {
  /** Most words of a sign-off ("Kind regards"). */
  signOffWords?: number;
  /** Most words of a name below it. */
  nameWords?: number;
}

const ENDS = /[.!?…。！？:;](?:["'”’)\]*_`]|\p{Extended_Pictographic}|\uFE0F|\s)*$/u;
const ANSWER = /^(?:####\s*)?[-+]?[$€£¥]?\s?\d[\d.,]*\s?%?$/;
const SIGN_OFF =
  /^(?:(?:best|kind|warm|many|with)\s+)*(?:regards|thanks|thank you|wishes|cheers|sincerely|yours|take care)\b/i;

/**
 * Whether a reply was ended and not cut off: by a mark of punctuation, a closed code fence, an answer on a line of its own
 * (`42`, `#### 42`), a sign-off, or a name below a sign-off or a line that ends in a comma.
 */
export function looksFinished(text: string, { signOffWords = 5, nameWords = 4 }: FinishedOptions = {}): boolean {
  const fences = text.match(/^\s*```/gm)?.length ?? 0;
  if (fences % 2 === 1) return false;
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  while (lines.at(-1) === "") lines.pop();
  const last = lines.at(-1);
  if (last === undefined) return false;
  if (last.startsWith("```") || ENDS.test(last.slice(-40)) || ANSWER.test(last)) return true;
  const isSignOff = (line: string) => SIGN_OFF.test(line) && wordsOf(line) <= signOffWords;
  if (isSignOff(last)) return true;
  const above = lines.slice(0, -1).findLast((line) => line !== "") ?? "";
  const isName = /^\p{Lu}/u.test(last) && wordsOf(last) <= nameWords;
  return isName && (above.endsWith(",") || isSignOff(above));
}

function wordsOf(line: string): number {
  return line.split(/\s+/).length;
}
