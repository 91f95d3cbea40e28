import type { EvalIndex } from "./eval-index.ts";
import {
  buildGramTable,
  type GramTable,
  gramFilter,
  gramHash,
  gramId,
  mayHold,
  type TokenTexts,
} from "./gram-table.ts";

/** Words of the shortest text that is looked for: of three, one changed word leaves hardly anything. */
const MIN_TOKENS = 4;
/** Two words at a time: of four words, one edit leaves one of the two pairs as it was. */
const PAIR = 2;
/** A word that makes a text more than a phrase is rarer than this among all words of the evaluation. */
const RARE = 1 / 1000;

/** Some of the evaluation's texts, to be found by any two words that follow each other. */
interface PairIndex {
  /** Of each text here, its number in the evaluation. */
  numbers: number[];
  texts: TokenTexts;
  textAt: Uint32Array;
  grams: GramTable;
  filter: Int32Array;
}

/**
 * Texts of four words to one less than a run has, whose words stand in another text in their order with one at most added,
 * missing or changed. Such a text is listed and never dropped: one changed word of a short ask is as often another task,
 * with another order number or amount.
 */
export class ShortTexts {
  readonly #index: EvalIndex;
  readonly #n: number;
  readonly #rare: Uint8Array;
  /** Short questions of the evaluation, which a row may hold. */
  readonly #short: PairIndex | null;
  /** All questions, which a short row may be part of; made when the first such row comes. */
  #all: PairIndex | null = null;

  constructor(index: EvalIndex) {
    this.#index = index;
    this.#n = index.n;
    this.#rare = rareWords(index);
    const short = [...index.isQuestion.keys()].filter((text) => {
      return index.isQuestion[text] === 1 && this.#isShort(this.#words(text));
    });
    this.#short = short.length === 0 ? null : pairIndex(index, short);
  }

  /** The first question of the evaluation that is short and in the text, or that the text is short and in; -1 for none. */
  find(ids: Int32Array): number {
    const held = this.#short === null ? -1 : firstMatch(this.#short, ids, (words, at) => occursNear(words, ids, at));
    if (held >= 0 || !this.#isShort(ids)) return held;
    this.#all ??= pairIndex(this.#index, questions(this.#index));
    return firstMatch(this.#all, ids, (words, at) => occursNear(ids, words, -at));
  }

  #words(text: number): Int32Array {
    const { tokens, starts } = this.#index.texts;
    return tokens.subarray(starts[text], starts[text + 1]);
  }

  #isShort(words: Int32Array): boolean {
    if (words.length < MIN_TOKENS || words.length >= this.#n) return false;
    return words.some((word) => word < 0 || this.#rare[word] === 1);
  }
}

function questions({ isQuestion }: EvalIndex): number[] {
  return [...isQuestion.keys()].filter((text) => isQuestion[text] === 1);
}

/** 1 for numbers and for words that are rare in the evaluation. */
function rareWords({ texts, vocabulary }: EvalIndex): Uint8Array {
  const counts = new Uint32Array(vocabulary.starts.length - 1);
  for (const word of texts.tokens) counts[word]!++;
  return Uint8Array.from(counts, (count, word) => {
    const first = vocabulary.chars[vocabulary.starts[word]!]!;
    return (first >= 0x30 && first <= 0x39) || count < RARE * texts.tokens.length ? 1 : 0;
  });
}

function pairIndex({ texts }: EvalIndex, numbers: number[]): PairIndex {
  const starts = new Uint32Array(numbers.length + 1);
  for (const [i, text] of numbers.entries()) starts[i + 1] = starts[i]! + texts.starts[text + 1]! - texts.starts[text]!;
  const tokens = new Int32Array(starts[numbers.length]!);
  const textAt = new Uint32Array(tokens.length);
  for (const [i, text] of numbers.entries()) {
    tokens.set(texts.tokens.subarray(texts.starts[text], texts.starts[text + 1]), starts[i]);
    textAt.fill(i, starts[i], starts[i + 1]);
  }
  const own = { tokens, starts };
  const grams = buildGramTable(own, PAIR);
  return { numbers, texts: own, textAt, grams, filter: gramFilter(grams) };
}

/**
 * @param isMatch Told the words of a text, and where in the searched words it would begin if nothing were added or missing
 */
function firstMatch(
  { numbers, texts, textAt, grams, filter }: PairIndex,
  ids: Int32Array,
  isMatch: (words: Int32Array, at: number) => boolean,
): number {
  let first = numbers.length;
  for (let at = 0; at + PAIR <= ids.length; at++) {
    if (ids[at]! < 0 || ids[at + 1]! < 0) continue;
    const hash = gramHash(ids, at, PAIR);
    if (!mayHold(filter, hash)) continue;
    const gram = gramId(grams, texts, ids, at, hash);
    if (gram < 0) continue;
    for (let i = grams.starts[gram]!; i < grams.starts[gram + 1]!; i++) {
      const place = grams.places[i]!;
      const text = textAt[place]!;
      if (text >= first) break;
      const start = texts.starts[text]!;
      if (isMatch(texts.tokens.subarray(start, texts.starts[text + 1]), at - (place - start))) first = text;
    }
  }
  return first < numbers.length ? numbers[first]! : -1;
}

/** Whether all words stand in another text in their order, one at most added, missing or changed, beginning about there. */
function occursNear(words: Int32Array, inside: Int32Array, at: number): boolean {
  for (let from = at - 1; from <= at + 1; from++) if (from >= 0 && isWithinOneEdit(words, inside, from)) return true;
  return at === -1 && isWithinOneEdit(words, inside, 0);
}

function isWithinOneEdit(words: Int32Array, inside: Int32Array, from: number): boolean {
  let same = 0;
  while (same < words.length && words[same] === inside[from + same]) same++;
  if (same === words.length) return true;
  const rest = (skipped: number, added: number): boolean => {
    for (let i = same + skipped; i < words.length; i++) {
      if (words[i] !== inside[from + i - skipped + added]) return false;
    }
    return true;
  };
  // Changed, missing from the other text, added to it.
  const isChanged = from + same < inside.length && rest(1, 1);
  return isChanged || rest(1, 0) || rest(0, 1);
}
