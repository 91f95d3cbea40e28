import { splitWords } from "@while/schema";

/** Quotes, emphasis and the marks of a sentence. Signs that change a value (`-5`, `5%`, `$5`, `(1, 2)`) stay. */
const OPENING = /^(?:[\s"'`*_,:;!?¿¡“”‘’«»„。，]|\.(?!\p{Nd}))+/u;
const CLOSING = /[\s"'`*_.,:;!?“”‘’«»。，]+$/u;

/**
 * The form in which two answers are compared: compatibility characters folded (NFKC), lower case, one space between
 * words, and no punctuation around the whole.
 */
export function normalizeText(text: string): string {
  const folded = splitWords(text.normalize("NFKC").toLowerCase()).join(" ");
  const opened = folded.replace(OPENING, "");
  // Written out, since a pattern that ends in $ is tried from every place of a long run.
  let end = opened.length;
  while (end > 0 && CLOSING.test(opened[end - 1]!)) end--;
  return opened.slice(0, end);
}
