import { foldText } from "./fold-text.ts";
import { checkMarkerRules, type MarkerRules } from "./marker-rules.ts";
import { type Phrase, phraseFinder, sentenceAt } from "./phrase.ts";
import type { SaidText } from "./said-text.ts";

/** Where in a message a phrase stands: its first sentence, its last, or between. */
export type PhrasePosition = "opener" | "closer" | "body";

/** A phrase that an agent said. */
export interface PhraseHit {
  phrase: string;
  position: PhrasePosition;
  /** The sentence around it. */
  sentence: string;
}

export interface PhraseHitsOptions {
  rules?: MarkerRules;
}

/**
 * The phrases that stand in a text, in the order of the list: by `v2` as whole words with apostrophes folded, by `v1`
 * as letters. A phrase is named as it is listed by `v1`, and as it was said by `v2`.
 *
 * @throws TrustError `bad_option`
 */
export function phraseHits(
  text: string,
  phrases: readonly Phrase[],
  { rules = "v2" }: PhraseHitsOptions = {},
): string[] {
  checkMarkerRules(rules);
  const part = rules === "v1" ? text.toLowerCase() : foldText(text);
  return hitsIn({ parts: [part], language: "en" }, phraseSearch(phrases, rules)).map(({ phrase }) => phrase);
}

/** Looks for a list of phrases in one part of what was said; `at` is the place in the list. */
export type PhraseSearch = (part: string) => { at: number; phrase: string; start: number; end: number }[];

/** Made once for many rows. By `v1` a phrase is named as it is listed, by `v2` as it was said. */
export function phraseSearch(phrases: readonly Phrase[], rules: MarkerRules): PhraseSearch {
  if (rules === "v1") {
    const texts = phrases.map((phrase) => (typeof phrase === "string" ? phrase : phrase.words));
    const lowered = texts.map((text) => text.toLowerCase());
    return (part) =>
      texts.flatMap((phrase, at) => {
        const start = part.indexOf(lowered[at]!);
        return start < 0 ? [] : [{ at, phrase, start, end: start + lowered[at]!.length }];
      });
  }
  const finders = phrases.map(phraseFinder);
  return (part) =>
    finders.flatMap((find, at) => {
      const place = find(part);
      if (place === null) return [];
      return [{ at, phrase: part.slice(place.start, place.end).replaceAll(/\s+/g, " "), ...place }];
    });
}

/** The first place of each phrase in what was said, in the order of the list. */
export function hitsIn({ parts }: SaidText, search: PhraseSearch): PhraseHit[] {
  const hits = new Map<number, PhraseHit>();
  for (const part of parts) {
    for (const { at, phrase, ...place } of search(part)) {
      if (hits.has(at)) continue;
      hits.set(at, { phrase, position: positionOf(part, place.start), sentence: sentenceAt(part, place).trim() });
    }
  }
  return [...hits].sort(([a], [b]) => a - b).map(([, hit]) => hit);
}

function positionOf(part: string, start: number): PhrasePosition {
  if (!/[.!?\n]\s*\S/.test(`${part.slice(0, start).trimStart()}x`)) return "opener";
  return /[.!?\n]\s*[\p{L}\p{N}]/u.test(part.slice(start)) ? "body" : "closer";
}
