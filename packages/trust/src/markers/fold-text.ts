/** Apostrophes that keyboards and models write for the straight one. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u0060\u00b4\uff07]/g;

/**
 * Text as phrases are compared: compatibility forms as their plain letters, every apostrophe straight, no zero-width
 * characters, lower-cased. "I’m ｓｏｒｒｙ" is "i'm sorry".
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(APOSTROPHES, "'")
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "")
    .toLowerCase();
}
