// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what the range says
const ASCII = /^[\u0000-\u007f]*$/;

/** Format characters: zero-width space and joiners, soft hyphen, byte-order mark, marks of direction. */
const FORMAT = /\p{Cf}/gu;
const MARKS = /\p{Mn}/gu;
/** Every way of writing an apostrophe. NFKC would take the accents apart into a blank and a mark. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u00b4\u0060\uff07]/g;
const DASHES = /[\p{Pd}\u2212]/gu;
/** Words of scripts that are written with blanks between them, an apostrophe inside of them included. */
const LETTER = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}])\p{L})`;
const WORDS = new RegExp(`${LETTER}+(?:'${LETTER}+)*`, "gu");

/** Cyrillic and Greek letters that read as a Latin one. */
const LATIN: ReadonlyMap<string, string> = new Map(
  [...["аa", "еe", "оo", "сc", "рp", "хx", "уy", "іi", "јj", "ѕs", "һh", "οo", "αa", "νv", "ρp"]].map((pair) => [
    pair[0]!,
    pair[1]!,
  ]),
);
const ANY_LOOK_ALIKE = /[аеосрхуіјѕһοανρ]/;
const LOOK_ALIKES = /[аеосрхуіјѕһοανρ]/g;
/** A run of letters, its apostrophes included: they are dropped when it becomes a token. */
const ONLY_LOOK_ALIKES = /^[аеосрхуіјѕһοανρ']+$/;
const LATIN_LETTER = /\p{Script=Latin}/u;

/** Whether nothing of a text has to be folded but its upper case. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * A text as a copy of it would be compared: compatibility forms, case, accents, invisible characters, look-alike
 * letters, apostrophes and dashes are made one. Two texts that a person reads as the same come out the same. A run of
 * letters is spelled in Latin where it holds a Latin letter or look-alikes alone, so that Russian words stay themselves.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = text.replace(APOSTROPHES, "'").normalize("NFKC").replace(FORMAT, "");
  folded = folded.toLowerCase().normalize("NFD").replace(MARKS, "").normalize("NFC");
  // Once more: some compatibility forms are an apostrophe beside a letter.
  folded = folded.replace(APOSTROPHES, "'");
  if (ANY_LOOK_ALIKE.test(folded)) folded = folded.replace(WORDS, inLatin);
  return folded.replace(DASHES, "-").replaceAll("\u2044", "/");
}

function inLatin(run: string): string {
  if (!ANY_LOOK_ALIKE.test(run) || !(LATIN_LETTER.test(run) || ONLY_LOOK_ALIKES.test(run))) return run;
  return run.replace(LOOK_ALIKES, (letter) => LATIN.get(letter)!);
}
