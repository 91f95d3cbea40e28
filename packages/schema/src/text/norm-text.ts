/**
 * Exactly Python's idea of whitespace. JavaScript's `\s` disagrees: it takes U+FEFF and leaves out U+001C to
 * U+001F and U+0085, so the same prompt would fall into two tasks on two machines.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the set holds four control characters on purpose
const WHITESPACE = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** The words of a text: its parts between Unicode whitespace. A blank text has none. */
export function splitWords(text: string): string[] {
  const words = text.split(WHITESPACE);
  if (words[0] === "") words.shift();
  if (words.at(-1) === "") words.pop();
  return words;
}

/** Normal form of a wording: lower-case, its words joined by one space. Two asks that differ only so are one ask. */
export function normText(text: string): string {
  return splitWords(text.toLowerCase()).join(" ");
}
