/** Words by number, in typed arrays: found by the units that were scanned, without a string being made of them. */
export interface Vocabulary {
  /** All words, one behind the other. */
  chars: Uint16Array;
  /** Where each begins in `chars`; one more than there are words. */
  starts: Uint32Array;
  /** Open addressing by hash: a word's number plus 1, or 0 where nothing lies. */
  slots: Int32Array;
}

/** The number of a word, or -1. */
export function wordId({ chars, starts, slots }: Vocabulary, hash: number, word: Uint16Array, length: number): number {
  const mask = slots.length - 1;
  for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
    const id = slots[slot]! - 1;
    if (id < 0) return -1;
    const start = starts[id]!;
    if (starts[id + 1]! - start !== length) continue;
    let same = 0;
    while (same < length && chars[start + same] === word[same]) same++;
    if (same === length) return id;
  }
}

export function wordText({ chars, starts }: Vocabulary, id: number): string {
  return String.fromCharCode(...chars.subarray(starts[id], starts[id + 1]));
}

/** Numbers words in the order in which they are first seen. */
export class VocabularyBuilder {
  readonly #ids = new Map<string, number>();
  readonly #hashes: number[] = [];
  #nChars = 0;

  add(hash: number, word: Uint16Array, length: number): number {
    const text = String.fromCharCode(...word.subarray(0, length));
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#hashes.length;
    this.#ids.set(text, id);
    this.#hashes.push(hash);
    this.#nChars += length;
    return id;
  }

  build(): Vocabulary {
    const chars = new Uint16Array(this.#nChars);
    const starts = new Uint32Array(this.#hashes.length + 1);
    let at = 0;
    for (const [text, id] of this.#ids) {
      starts[id] = at;
      for (let i = 0; i < text.length; i++) chars[at++] = text.charCodeAt(i);
    }
    starts[this.#hashes.length] = at;
    const slots = new Int32Array(tableSize(this.#hashes.length));
    for (const [id, hash] of this.#hashes.entries()) {
      let slot = spread(hash) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = id + 1;
    }
    return { chars, starts, slots };
  }
}

/** A power of two that `n` entries fill to 60% at most. */
export function tableSize(n: number): number {
  return 2 ** Math.max(4, Math.ceil(Math.log2(n / 0.6 + 1)));
}

/** Spreads a hash whose low bits are poor (finalizer of MurmurHash3, Appleby 2011). */
export function spread(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
