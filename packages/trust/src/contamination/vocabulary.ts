import { longer } from "./longer.ts";

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

/** Numbers words in the order in which they are first seen. Grows, and can be asked all the while. */
export class VocabularyBuilder implements Vocabulary {
  chars: Uint16Array = new Uint16Array(1024);
  starts: Uint32Array = new Uint32Array(256);
  slots: Int32Array = new Int32Array(256);
  size = 0;
  #hashes: Int32Array = new Int32Array(256);

  add(hash: number, word: Uint16Array, length: number): number {
    const known = wordId(this, hash, word, length);
    if (known >= 0) return known;
    const id = this.size++;
    const from = this.starts[id]!;
    if (from + length > this.chars.length) this.chars = longer(this.chars, from + length);
    for (let i = 0; i < length; i++) this.chars[from + i] = word[i]!;
    if (this.size === this.starts.length) {
      this.starts = longer(this.starts, this.size + 1);
      this.#hashes = longer(this.#hashes, this.size);
    }
    this.starts[this.size] = from + length;
    this.#hashes[id] = hash;
    if (this.size > 0.6 * this.slots.length) this.slots = this.#slotted(2 * this.size);
    else place(this.slots, hash, id);
    return id;
  }

  build(): Vocabulary {
    const starts = this.starts.slice(0, this.size + 1);
    return { chars: this.chars.slice(0, starts[this.size]), starts, slots: this.#slotted(this.size) };
  }

  #slotted(size: number): Int32Array {
    const slots = new Int32Array(tableSize(size));
    for (let id = 0; id < this.size; id++) place(slots, this.#hashes[id]!, id);
    return slots;
  }
}

function place(slots: Int32Array, hash: number, id: number): void {
  let slot = spread(hash) & (slots.length - 1);
  while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
  slots[slot] = id + 1;
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
