/** Small words that running text of a language is full of. */
const SMALL_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: "the a an of to and is are you i it that this for with not in on your be have can we as do or if was will my",
    de: "der die das und ist nicht ich sie es ein eine zu den mit auf für von dem wir kann wird haben ihre auch bitte",
    fr: "le la les et est vous je de des un une pas pour que dans nous votre avec sur ce qui il ne au du",
    es: "el la los las y es usted yo de que en un una no por para con su se lo del al está puedo",
    it: "il la le e è di che un una non per con sono si lo del della mi ho può grazie questo",
    pt: "o a os as e é de que um uma não para com por se do da em você eu seu sua está",
    nl: "de het een en is niet ik u van te dat voor met op zijn kan er maar ook wij uw",
  }).map(([language, words]) => [language, new Set(words.split(" "))]),
);

/** Words, and letters, under which a text says too little to be of another language than English. */
const FEW_WORDS = 8;
const FEW_LETTERS = 4;

/** Characters of a text that are looked at. */
const LOOKED_AT = 4_000;

/**
 * The language of folded text: "en", another two-letter code, or the name of a script ("Han", "Cyrillic"). For one use
 * alone: not to say of a reply in Chinese that it holds no English phrase. Short text is taken for English.
 */
export function languageOf(text: string): string {
  const head = text.slice(0, LOOKED_AT);
  const letters = head.match(/\p{L}/gu)?.length ?? 0;
  const latin = head.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters >= FEW_LETTERS && latin < letters / 2) return scriptOf(head);
  const words = head.match(/\p{L}+/gu) ?? [];
  if (words.length < FEW_WORDS) return "en";
  let best = "en";
  let most = countIn("en", words);
  for (const language of SMALL_WORDS.keys()) {
    const n = countIn(language, words);
    if (n > most && n >= 3) [best, most] = [language, n];
  }
  return best;
}

const SCRIPTS = [
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Cyrillic",
  "Arabic",
  "Hebrew",
  "Greek",
  "Thai",
  "Devanagari",
];

function scriptOf(text: string): string {
  let best = "unknown";
  let most = 0;
  for (const script of SCRIPTS) {
    const n = text.match(new RegExp(`\\p{Script=${script}}`, "gu"))?.length ?? 0;
    if (n > most) [best, most] = [script, n];
  }
  return best;
}

function countIn(language: string, words: readonly string[]): number {
  const small = SMALL_WORDS.get(language)!;
  let n = 0;
  for (const word of words) if (small.has(word)) n++;
  return n;
}
