import { isDigits, type TextIndex, ZERO, ZERO_HASH } from "./eval-index.ts";
import { gramFilter, gramHash, gramId, mayHold } from "./gram-table.ts";
import { longer } from "./longer.ts";
import { type RuleSet, type Scanner, type Shingles, TokenScanner } from "./token-scanner.ts";
import { wordId } from "./vocabulary.ts";

/** What the runs of words that a text shares with an evaluation add up to. */
export interface GramMatch {
  nTokens: number;
  /** The evaluation text that covers most of the words. */
  text: number;
  /** Words of this text that it covers. */
  covered: number;
  /** Of that evaluation text's words that are no template's, the share that lies in this text. */
  ownShare: number;
  /** Where the first shared run begins. */
  first: number;
  /** The evaluation text most of which lies in this text, among those that are long enough; -1 for none. */
  contained: number;
  /** Share of its words. */
  containedShare: number;
  /** Share of those of its words that are no template's. */
  containedOwnShare: number;
  /** Share of this text's words that lie in some shared run, of whatever evaluation text. */
  union: number;
}

/**
 * Holds one text against all texts of an evaluation. Made once a thread and used for many texts; what it keeps between
 * two is memory to work in, valid for an epoch, so that nothing has to be cleared.
 */
export class TextMatcher {
  /** Words of the text that was read, as numbers of the vocabulary; -1 for words that the evaluation has not. */
  ids: Int32Array = new Int32Array(256);
  nTokens = 0;
  readonly #index: TextIndex;
  readonly #scanner: Scanner;
  readonly #numberless: boolean;
  #gramAt: Int32Array = new Int32Array(256);
  #epoch = 0;
  readonly #seen: Uint32Array;
  readonly #end: Int32Array;
  readonly #covered: Int32Array;
  readonly #first: Int32Array;
  readonly #evalCovered: Int32Array;
  readonly #ownCovered: Int32Array;
  readonly #evalSeen: Uint32Array;
  readonly #filter: Int32Array;
  readonly #touched: number[] = [];
  readonly #exact = new Map<number, number[]>();
  readonly #background: Uint8Array | null;
  readonly #skip: number;
  /** Which words of the evaluation lie in no run of a template, and how many of each text; null where there is none. */
  readonly #own: { isOwn: Uint8Array; counts: Int32Array } | null;

  /**
   * @param background Runs that are a template's, as `backgroundGrams` has them
   * @param skip Words of a shared run that may differ, behind its first n
   */
  constructor(
    index: TextIndex,
    rules: RuleSet,
    {
      numberless = false,
      background = null,
      skip = 0,
      shingles = "words",
      scanner = new TokenScanner(rules, shingles),
    }: {
      numberless?: boolean;
      background?: Uint8Array | null;
      skip?: number;
      shingles?: Shingles;
      scanner?: Scanner;
    } = {},
  ) {
    this.#index = index;
    this.#filter = gramFilter(index.grams);
    this.#scanner = scanner;
    this.#numberless = numberless;
    this.#background = background;
    this.#skip = skip;
    this.#own = background === null ? null : ownWords(index, background);
    const nTexts = index.texts.starts.length - 1;
    this.#seen = new Uint32Array(nTexts);
    this.#end = new Int32Array(nTexts);
    this.#covered = new Int32Array(nTexts);
    this.#first = new Int32Array(nTexts);
    this.#evalCovered = new Int32Array(nTexts);
    this.#ownCovered = new Int32Array(nTexts);
    this.#evalSeen = new Uint32Array(index.texts.tokens.length);
    const { tokens, starts } = index.texts;
    for (let text = 0; text < nTexts; text++) {
      const hash = sequenceHash(tokens, starts[text]!, starts[text + 1]!);
      const same = this.#exact.get(hash);
      if (same === undefined) this.#exact.set(hash, [text]);
      else same.push(text);
    }
  }

  /** Cuts a text into words, for the questions below. */
  read(text: string): void {
    const { vocabulary } = this.#index;
    this.nTokens = 0;
    this.#scanner.scan(text, (hash, length, isNumber) => {
      if (this.nTokens === this.ids.length) {
        this.ids = longer(this.ids, this.nTokens + 1);
        this.#gramAt = new Int32Array(this.ids.length);
      }
      const { chars } = this.#scanner;
      const isZero = this.#numberless && (isNumber || isDigits(chars, length));
      this.ids[this.nTokens++] = isZero
        ? wordId(vocabulary, ZERO_HASH, ZERO, 1)
        : wordId(vocabulary, hash, chars, length);
    });
  }

  /** The evaluation text of exactly these words, or -1. */
  exactText(): number {
    const { tokens, starts } = this.#index.texts;
    for (const text of this.#exact.get(sequenceHash(this.ids, 0, this.nTokens)) ?? []) {
      const start = starts[text]!;
      if (starts[text + 1]! - start !== this.nTokens) continue;
      let same = 0;
      while (same < this.nTokens && tokens[start + same] === this.ids[same]) same++;
      if (same === this.nTokens) return text;
    }
    return -1;
  }

  /** The numbers of the runs that the text shares with the evaluation; for counting how common they are. */
  sharedGrams(): Int32Array {
    const nGrams = this.#findGrams(null) === 0 ? 0 : Math.max(0, this.nTokens - this.#index.grams.n + 1);
    return this.#gramAt.subarray(0, nGrams);
  }

  /**
   * @param minContained Words of the shortest evaluation text to look for inside of this one
   * @param ignored Runs that do not count at all
   * @param leftOut Evaluation texts that do not count
   * @returns null where no run is shared
   */
  grams(minContained: number, ignored: Uint8Array | null, leftOut: ReadonlySet<number> = NONE): GramMatch | null {
    const union = this.#findGrams(ignored);
    if (union === 0) return null;
    const { n } = this.#index.grams;
    const last = this.nTokens - n;
    this.#epoch++;
    this.#touched.length = 0;
    if (this.#background === null) {
      for (let at = 0; at <= last; at++) if (this.#gramAt[at]! >= 0) this.#walk(at, this.#gramAt[at]!);
    } else this.#walkWithBackground(last, this.#background);
    return this.#best(union, minContained, leftOut);
  }

  /** Which words of the text a given evaluation text covers; of the last `grams`. */
  coveredBy(text: number): Uint8Array {
    const { grams, textAt } = this.#index;
    const covered = new Uint8Array(this.nTokens);
    for (let at = 0; at + grams.n <= this.nTokens; at++) {
      const gram = this.#gramAt[at]!;
      if (gram < 0) continue;
      for (let i = grams.starts[gram]!; i < grams.starts[gram + 1]!; i++) {
        if (textAt[grams.places[i]!] !== text) continue;
        covered.fill(1, at, at + this.#runLength(at, grams.places[i]!, this.#skip));
        if (this.#skip === 0) break;
      }
    }
    return covered;
  }

  /**
   * Words of the longest run that the text and an evaluation text share, when up to `skip` words in it may differ; of the
   * last `grams`. Singh et al. 2024, arXiv:2411.03923, find it to say more than all runs together.
   */
  longestRun(text: number, skip: number): number {
    const { grams, textAt } = this.#index;
    let longest = 0;
    for (let at = 0; at + grams.n <= this.nTokens; at++) {
      const gram = this.#gramAt[at]!;
      if (gram < 0) continue;
      for (let i = grams.starts[gram]!; i < grams.starts[gram + 1]!; i++) {
        if (textAt[grams.places[i]!] !== text) continue;
        longest = Math.max(longest, this.#runLength(at, grams.places[i]!, skip));
      }
    }
    return longest;
  }

  /** The evaluation texts of which at least this share lies in the text, with that share; of the last `grams`. */
  evalShares(least: number): [text: number, share: number][] {
    return this.#touched.flatMap((text): [number, number][] => {
      const share = this.evalCoverage(text);
      return share >= least ? [[text, share]] : [];
    });
  }

  /**
   * Words of the run that begins at two places: n, or where some may differ and the run begins here, up to the last word that
   * is the same. Its first n words are the same, as in Llama 2's count.
   */
  #runLength(at: number, place: number, skip: number): number {
    const { grams, texts, textAt } = this.#index;
    const { n } = grams;
    const { tokens, starts } = texts;
    const text = textAt[place]!;
    const isBegin = at === 0 || place === starts[text] || this.ids[at - 1] !== tokens[place - 1];
    if (skip === 0 || !isBegin) return n;
    const end = Math.min(this.nTokens - at, starts[text + 1]! - place);
    let length = n;
    let misses = 0;
    for (let k = n; k < end; k++) {
      if (this.ids[at + k] === tokens[place + k]) length = k + 1;
      else if (++misses > skip) break;
    }
    return length;
  }

  /** Finds the run that begins at each word; says how many words lie in one. A word nobody knows ends a run early. */
  #findGrams(ignored: Uint8Array | null): number {
    const { n } = this.#index.grams;
    let union = 0;
    let unionEnd = 0;
    let known = 0;
    for (let end = 0; end < this.nTokens; end++) {
      known = this.ids[end]! < 0 ? 0 : known + 1;
      const at = end - n + 1;
      if (at < 0) continue;
      let gram = known < n ? -1 : this.#gramId(at);
      if (gram >= 0 && ignored !== null && ignored[gram] === 1) gram = -1;
      this.#gramAt[at] = gram;
      if (gram < 0) continue;
      union += Math.min(n, at + n - Math.max(at, unionEnd));
      unionEnd = at + n;
    }
    return union;
  }

  #gramId(at: number): number {
    const { grams, texts } = this.#index;
    const hash = gramHash(this.ids, at, grams.n);
    return mayHold(this.#filter, hash) ? gramId(grams, texts, this.ids, at, hash) : -1;
  }

  /**
   * A template's run lies in a large part of the evaluation, and walking all its places for every row would cost that
   * much a word. So the other runs name the texts that are in question, and the template's are looked up in those alone.
   */
  #walkWithBackground(last: number, background: Uint8Array): void {
    const { grams, textAt, texts } = this.#index;
    const inQuestion = new Set<number>();
    for (let at = 0; at <= last; at++) {
      const gram = this.#gramAt[at]!;
      if (gram < 0 || background[gram] === 1) continue;
      for (let i = grams.starts[gram]!; i < grams.starts[gram + 1]!; i++) inQuestion.add(textAt[grams.places[i]!]!);
    }
    if (inQuestion.size === 0) return;
    for (let at = 0; at <= last; at++) {
      const gram = this.#gramAt[at]!;
      if (gram < 0) continue;
      if (background[gram] === 0) {
        this.#walk(at, gram);
        continue;
      }
      for (const text of inQuestion) {
        const from = texts.starts[text]!;
        const to = texts.starts[text + 1]!;
        for (let i = lowerBound(grams.places, grams.starts[gram]!, grams.starts[gram + 1]!, from); ; i++) {
          if (i >= grams.starts[gram + 1]! || grams.places[i]! >= to) break;
          this.#cover(text, at, grams.places[i]!);
        }
      }
    }
  }

  #walk(at: number, gram: number): void {
    const { grams, textAt } = this.#index;
    for (let i = grams.starts[gram]!; i < grams.starts[gram + 1]!; i++) {
      const place = grams.places[i]!;
      this.#cover(textAt[place]!, at, place);
    }
  }

  /** Counts the run from `at` on as covered by the text, and from `place` on as found of it. */
  #cover(text: number, at: number, place: number): void {
    const n = this.#skip === 0 ? this.#index.grams.n : this.#runLength(at, place, this.#skip);
    if (this.#seen[text] !== this.#epoch) {
      this.#seen[text] = this.#epoch;
      this.#end[text] = 0;
      this.#covered[text] = 0;
      this.#evalCovered[text] = 0;
      this.#ownCovered[text] = 0;
      this.#first[text] = at;
      this.#touched.push(text);
    }
    this.#covered[text]! += Math.max(0, at + n - Math.max(at, this.#end[text]!));
    this.#end[text] = Math.max(this.#end[text]!, at + n);
    for (let i = place; i < place + n; i++) {
      if (this.#evalSeen[i] === this.#epoch) continue;
      this.#evalSeen[i] = this.#epoch;
      this.#evalCovered[text]!++;
      if (this.#own !== null && this.#own.isOwn[i] === 1) this.#ownCovered[text]!++;
    }
  }

  #best(union: number, minContained: number, leftOut: ReadonlySet<number>): GramMatch {
    const { starts } = this.#index.texts;
    let text = -1;
    let contained = -1;
    let containedShare = 0;
    for (const one of this.#touched) {
      if (leftOut.has(one)) continue;
      const isBetter = text < 0 || this.#covered[one]! > this.#covered[text]!;
      if (isBetter || (this.#covered[one] === this.#covered[text] && one < text)) text = one;
      const length = starts[one + 1]! - starts[one]!;
      const share = this.#evalCovered[one]! / length;
      if (length < minContained || share < containedShare || (share === containedShare && one > contained)) continue;
      contained = one;
      containedShare = share;
    }
    const { nTokens } = this;
    if (text < 0) return { ...NOTHING, nTokens, union: union / nTokens };
    return {
      ...{ nTokens, text, covered: this.#covered[text]!, ownShare: this.#ownShare(text), first: this.#first[text]! },
      ...{ contained, containedShare, containedOwnShare: contained < 0 ? 0 : this.#ownShare(contained) },
      union: union / nTokens,
    };
  }

  /** Without a template all of a text is its own. One that is nothing but template has no own words, and all count. */
  #ownShare(text: number): number {
    if (this.#own === null) return 1;
    const nOwn = this.#own.counts[text]!;
    return nOwn === 0 ? this.evalCoverage(text) : this.#ownCovered[text]! / nOwn;
  }

  /** Share of an evaluation text's words that lie in the text; of the last `grams`. */
  evalCoverage(text: number): number {
    const { starts } = this.#index.texts;
    const isOfThis = this.#seen[text] === this.#epoch;
    return isOfThis ? this.#evalCovered[text]! / (starts[text + 1]! - starts[text]!) : 0;
  }
}

const NONE: ReadonlySet<number> = new Set();

/** Where all that is shared is a template's. */
const NOTHING = {
  ...{ text: -1, covered: 0, ownShare: 0, first: 0, contained: -1, containedShare: 0, containedOwnShare: 0 },
};

function ownWords(index: TextIndex, background: Uint8Array): { isOwn: Uint8Array; counts: Int32Array } {
  const { grams, texts, textAt } = index;
  const isOwn = new Uint8Array(texts.tokens.length).fill(1);
  for (const [gram, isCommon] of background.entries()) {
    if (isCommon === 0) continue;
    for (const place of grams.places.subarray(grams.starts[gram], grams.starts[gram + 1])) {
      isOwn.fill(0, place, place + grams.n);
    }
  }
  const counts = new Int32Array(texts.starts.length - 1);
  for (const [at, own] of isOwn.entries()) counts[textAt[at]!]! += own;
  return { isOwn, counts };
}

function sequenceHash(tokens: Int32Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ tokens[i]!, 0x9e3779b1) + (hash >>> 15);
  return hash | 0;
}

function lowerBound(values: Uint32Array, from: number, to: number, wanted: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
