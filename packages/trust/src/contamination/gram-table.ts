import { spread, tableSize } from "./vocabulary.ts";

/** Texts as word numbers, one behind the other. */
export interface TokenTexts {
  tokens: Int32Array;
  /** Where each text begins in `tokens`; one more than there are texts. */
  starts: Uint32Array;
}

/** Every run of n words of some texts, and where it stands. */
export interface GramTable {
  n: number;
  /** Open addressing by hash: a gram's number plus 1, or 0 where nothing lies. */
  slots: Int32Array;
  /** Of each gram, so that most of a chain is passed without a look at the texts. */
  hashes: Uint32Array;
  /** Where each gram's places begin in `places`; one more than there are grams. */
  starts: Uint32Array;
  /** Positions in `tokens`, ascending, so that texts ascend too. */
  places: Uint32Array;
}

/** Hash of the n words from `at` on. */
export function gramHash(tokens: Int32Array, at: number, n: number): number {
  let hash = n;
  for (let i = at; i < at + n; i++) hash = Math.imul(hash ^ tokens[i]!, 0x9e3779b1) + (hash >>> 15);
  return spread(hash);
}

/** Bits a gram in the filter: 7 of 100 runs that the table has not are looked up in vain. */
const FILTER_BITS = 10;

/**
 * One bit a hash, so small that it stays in the cache of a core (1.5 MB for a million grams), where a look into the table
 * is a walk to memory. Nearly all runs of a training text are in no evaluation and end here.
 */
export function gramFilter({ hashes }: GramTable): Int32Array {
  const filter = new Int32Array(2 ** Math.max(1, Math.ceil(Math.log2((FILTER_BITS * hashes.length + 1) / 32))));
  for (const hash of hashes) filter[(hash >>> 5) & (filter.length - 1)]! |= 1 << (hash & 31);
  return filter;
}

/** false where the table surely has no gram of this hash. */
export function mayHold(filter: Int32Array, hash: number): boolean {
  return (filter[(hash >>> 5) & (filter.length - 1)]! & (1 << (hash & 31))) !== 0;
}

/**
 * The gram that stands at `at` in other tokens, or -1. A hash that collides finds nothing: the words are compared.
 *
 * @param hash `gramHash` of those tokens
 */
export function gramId(table: GramTable, texts: TokenTexts, tokens: Int32Array, at: number, hash: number): number {
  const { n, slots, hashes, starts, places } = table;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const gram = slots[slot]! - 1;
    if (gram < 0) return -1;
    if (hashes[gram] !== hash) continue;
    const place = places[starts[gram]!]!;
    let same = 0;
    while (same < n && texts.tokens[place + same] === tokens[at + same]) same++;
    if (same === n) return gram;
  }
}

export function buildGramTable(texts: TokenTexts, n: number): GramTable {
  const { tokens, starts: textStarts } = texts;
  let nPlaces = 0;
  for (let text = 0; text + 1 < textStarts.length; text++) {
    nPlaces += Math.max(0, textStarts[text + 1]! - textStarts[text]! - n + 1);
  }
  const slots = new Int32Array(tableSize(nPlaces));
  const mask = slots.length - 1;
  // First place of each gram, and the gram of each place: two passes fill `places` without a list for each gram.
  const firsts = new Uint32Array(nPlaces);
  const hashes = new Uint32Array(nPlaces);
  const counts = new Uint32Array(nPlaces + 1);
  const gramOf = new Int32Array(nPlaces);
  const placeOf = new Uint32Array(nPlaces);
  let nGrams = 0;
  let k = 0;
  for (let text = 0; text + 1 < textStarts.length; text++) {
    for (let at = textStarts[text]!; at + n <= textStarts[text + 1]!; at++) {
      const hash = gramHash(tokens, at, n);
      let slot = hash & mask;
      let gram = -1;
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const known = slots[slot]! - 1;
        if (hashes[known] !== hash) continue;
        let same = 0;
        while (same < n && tokens[firsts[known]! + same] === tokens[at + same]) same++;
        if (same === n) {
          gram = known;
          break;
        }
      }
      if (gram < 0) {
        gram = nGrams++;
        slots[slot] = gram + 1;
        firsts[gram] = at;
        hashes[gram] = hash;
      }
      counts[gram]!++;
      gramOf[k] = gram;
      placeOf[k++] = at;
    }
  }
  const starts = new Uint32Array(nGrams + 1);
  for (let gram = 0; gram < nGrams; gram++) starts[gram + 1] = starts[gram]! + counts[gram]!;
  const next = starts.slice();
  const places = new Uint32Array(nPlaces);
  for (let i = 0; i < nPlaces; i++) places[next[gramOf[i]!]!++] = placeOf[i]!;
  return { n, slots, hashes: hashes.slice(0, nGrams), starts, places };
}
