import { foldText } from "./fold-text.ts";

/**
 * A phrase that tells. As plain text it counts wherever its words stand (`v2`) or its letters do (`v1`). In an object
 * `words` may hold choices, `(help|assist)`, and the rest narrows it down.
 */
export type Phrase = string | PhraseRule;

export interface PhraseRule {
  words: string;
  /** Only where a sentence opens with it: "Certainly, …", not "it will certainly, …". */
  opens?: true;
  /** Not with these words right behind it, by choices: "unable to" find, locate. */
  notBefore?: string;
  /** Not with these words right in front of it. */
  notAfter?: string;
  /** Not in a sentence that also holds these words. */
  notWith?: string;
}

/** Where a phrase stands in a text, from the first letter to behind the last. */
export interface PhrasePlace {
  start: number;
  end: number;
}

/** The first place of a phrase in text that `foldText` made. */
export type PhraseFinder = (text: string) => PhrasePlace | null;

/** A phrase of folded text, at the edges of words. Patterns have no nested repetition: time is linear in the text. */
export function phraseFinder(phrase: Phrase): PhraseFinder {
  const rule: PhraseRule = typeof phrase === "string" ? { words: phrase } : phrase;
  const isLiteral = typeof phrase === "string";
  const pattern = new RegExp(patternOf(rule, isLiteral), "gu");
  const company = rule.notWith === undefined ? null : new RegExp(edged(choices(rule.notWith)), "u");
  return (text) => {
    for (const match of text.matchAll(pattern)) {
      const place = { start: match.index, end: match.index + match[0].length };
      if (rule.opens === true && !opensSentence(text, place.start)) continue;
      if (company?.test(sentenceAt(text, place))) continue;
      return place;
    }
    return null;
  };
}

/** The sentence around a place: to the next full stop, question or exclamation mark with a blank, or line break. */
export function sentenceAt(text: string, { start, end }: PhrasePlace): string {
  const line = text.lastIndexOf("\n", start - 1) + 1;
  let from = start === 0 ? 0 : line;
  for (const stop of text.slice(from, start).matchAll(/[.!?]\s/g)) from = line + stop.index + 1;
  const stop = text.slice(end).search(/[.!?](?:\s|$)|\n/);
  return text.slice(from, stop < 0 ? text.length : end + stop);
}

/** What may stand between the end of a sentence and the first word of the next: blanks, quotes, marks of lists. */
const SENTENCE_BREAK = /(?:^|[.!?:;\n\u2026\u2013\u2014])["'\u201d)*_]*[\s"'\u201c(*_>#-]*$/u;

function opensSentence(text: string, start: number): boolean {
  return SENTENCE_BREAK.test(text.slice(Math.max(0, start - 12), start));
}

function patternOf({ words, notBefore, notAfter }: PhraseRule, isLiteral: boolean): string {
  const body = isLiteral ? literal(words) : choices(words);
  const before = notAfter === undefined ? "" : `(?<!(?<![\\p{L}\\p{N}_])${choices(notAfter)}\\s)`;
  const behind = notBefore === undefined ? "" : `(?!\\s+${choices(notBefore)}(?![\\p{L}\\p{N}_]))`;
  return before + edged(body, words) + behind;
}

/** Edges only where the phrase begins or ends in a word: "certainly!" ends in none. */
function edged(body: string, words = "a"): string {
  const opens = /^[\p{L}\p{N}_(]/u.test(words) ? "(?<![\\p{L}\\p{N}_])" : "";
  const closes = /(?:[\p{L}\p{N}_)]|\)\?)$/u.test(words) ? "(?![\\p{L}\\p{N}_])" : "";
  return `${opens}${body}${closes}`;
}

function literal(words: string): string {
  return foldText(words)
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
}

/** The same with `(a|b)` read as choices and `(a|b)?` as words that may be left out, with their blank. */
function choices(words: string): string {
  return foldText(words)
    .trim()
    .split(/\s+(?![^(]*\))/)
    .map((word, i) => {
      const choice = /^\(([^)]*)\)(\?)?(.*)$/.exec(word);
      const lead = i === 0 ? "" : "\\s+";
      if (choice === null) return lead + literal(word);
      const any = `(?:${choice[1]!.split("|").map(literal).join("|")})`;
      return choice[2] === "?" ? `(?:${lead}${any})?` : `${lead}${any}${literal(choice[3]!)}`;
    })
    .join("");
}
