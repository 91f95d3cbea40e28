/** A letter, digit or underscore of a script that puts spaces between words. */
const WORD = /[\p{L}\p{N}_]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const DIGIT = /\p{Nd}/u;

/**
 * Whether `text.slice(start, end)` stands there as a whole token: the 7 of "it is 7." does, that of "17" and of "7.5"
 * does not. An edge that is no letter or digit is its own bound, and so is one in a script without spaces.
 */
export function isWholeToken(text: string, start: number, end: number): boolean {
  return !joins(text, start - 1, start, -1) && !joins(text, end, end - 1, 1);
}

/** Whether the character outside belongs to the token that ends with the one inside. */
function joins(text: string, outside: number, inside: number, step: 1 | -1): boolean {
  const inner = text.charAt(inside);
  const outer = text.charAt(outside);
  if (!isWord(inner) || outer === "") return false;
  if (isWord(outer)) return true;
  // A decimal point joins two digits; the full stop behind a number does not.
  return outer === "." && DIGIT.test(inner) && DIGIT.test(text.charAt(outside + step));
}

function isWord(char: string): boolean {
  return WORD.test(char) && !UNSPACED.test(char);
}
