import { compareCodePoints } from "@while/schema";

const TOKEN = /[a-z_]{2,}|[0-9]+|[^a-z\s]/gu;

/**
 * Tokens of a text, lower-cased: runs of two or more letters a to z or `_`, runs of digits, and every other sign that
 * is no blank by itself. Single letters a to z are none.
 */
export function scanTokens(text: string): string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}

/** A term and the texts that have it, ascending. */
export interface Term {
  term: string;
  at: Int32Array;
}

interface VocabularyOptions {
  topK: number;
  minObs: number;
  minMissing?: number;
  /** Of terms in as many texts: words before what has signs in it, to name a column by. */
  wordsFirst?: boolean;
}

/**
 * The terms that tell texts apart, a token or two neighbours joined by a blank: those of at least `minObs` texts, and
 * missing from at least `minMissing`; the commonest `topK`, ties by term.
 */
export function autoTerms(texts: readonly string[], options: VocabularyOptions): string[] {
  return termPostings(texts, options).map(({ term }) => term);
}

/**
 * `autoTerms` with the texts that have each. Terms are numbers until they are chosen: 20,000 texts of 60 words took 850 ms
 * as sets of strings that were made twice, and take 580.
 */
export function termPostings(
  texts: readonly string[],
  { topK, minObs, minMissing = 1, wordsFirst = false }: VocabularyOptions,
): Term[] {
  const terms = new TermNumbers();
  const counts: number[] = [];
  const last: number[] = [];
  const distinct = new NumberList();
  /** Where the terms of each text end. */
  const ends = texts.map((text, i) => {
    for (const id of terms.of(text)) {
      if (last[id] === i) continue;
      last[id] = i;
      counts[id] = (counts[id] ?? 0) + 1;
      distinct.push(id);
    }
    return distinct.length;
  });
  const chosen = counts
    .flatMap((count, id) => (count >= minObs && texts.length - count >= minMissing ? { id, count } : []))
    .map(({ id, count }) => ({ id, count, term: terms.name(id) }))
    .sort(
      (x, y) =>
        y.count - x.count ||
        (wordsFirst ? Number(hasSign(x.term)) - Number(hasSign(y.term)) : 0) ||
        compareCodePoints(x.term, y.term),
    )
    .slice(0, topK);
  const placeOf = new Map(chosen.map(({ id }, place) => [id, place]));
  const postings = chosen.map(({ count }) => new Int32Array(count));
  const filled = new Int32Array(chosen.length);
  let at = 0;
  for (const [i, end] of ends.entries()) {
    for (; at < end; at++) {
      const place = placeOf.get(distinct.at(at));
      if (place !== undefined) postings[place]![filled[place]!++] = i;
    }
  }
  return chosen.map(({ term }, place) => ({ term, at: postings[place]! }));
}

/** Numbers under 2³¹ in blocks: a list of each text's own, and one that doubles, take twice as much. */
class NumberList {
  length = 0;
  private readonly blocks: Int32Array[] = [];

  push(number: number): void {
    const within = this.length & (BLOCK - 1);
    if (within === 0) this.blocks.push(new Int32Array(BLOCK));
    this.blocks.at(-1)![within] = number;
    this.length++;
  }

  at(index: number): number {
    return this.blocks[index >>> BLOCK_BITS]![index & (BLOCK - 1)]!;
  }
}

const BLOCK_BITS = 20;
const BLOCK = 2 ** BLOCK_BITS;

function hasSign(term: string): boolean {
  return /[\p{P}\p{S}]/u.test(term.replaceAll("_", ""));
}

/** Numbers of tokens and of pairs of them, in one count. */
class TermNumbers {
  private readonly tokens = new Map<string, number>();
  private readonly pairs = new Map<number, number>();
  /** Of each number: a token, or the numbers of two. */
  private readonly parts: (string | readonly [number, number])[] = [];

  /** The terms of a text, once for each time they stand there. */
  of(text: string): number[] {
    const ids: number[] = [];
    let before = -1;
    for (const token of scanTokens(text)) {
      let id = this.tokens.get(token);
      if (id === undefined) {
        id = this.parts.push(token) - 1;
        this.tokens.set(token, id);
      }
      ids.push(id);
      if (before >= 0) ids.push(this.pair(before, id));
      before = id;
    }
    return ids;
  }

  name(id: number): string {
    const part = this.parts[id]!;
    return typeof part === "string" ? part : `${this.parts[part[0]]} ${this.parts[part[1]]}`;
  }

  private pair(a: number, b: number): number {
    const key = a * 2 ** 26 + b;
    let id = this.pairs.get(key);
    if (id === undefined) {
      id = this.parts.push([a, b]) - 1;
      this.pairs.set(key, id);
    }
    return id;
  }
}
