import { BANDS, bandKeys } from "./min-hash.ts";
import { jaccard, shinglesOf } from "./shingles.ts";
import type { Shingles } from "./token-scanner.ts";
import { spread, tableSize } from "./vocabulary.ts";

/** Texts to be found by their likeness as sets. Plain data of typed arrays, so that threads share it. */
export interface JaccardIndex {
  kind: Shingles;
  n: number;
  /** The shingles of each text, one text behind the other, and where they begin. */
  shingles: Uint32Array;
  starts: Uint32Array;
  /** Of each band and text, its key. */
  keys: Uint32Array;
  /** Of each band and slot, the first text that lies there plus 1; of each band and text, the next one plus 1. */
  heads: Uint32Array;
  next: Uint32Array;
}

export function buildJaccardIndex(texts: readonly string[], kind: Shingles = "chars"): JaccardIndex {
  const n = texts.length;
  const sets = texts.map((text) => shinglesOf(text, kind));
  const starts = new Uint32Array(n + 1);
  for (const [text, set] of sets.entries()) starts[text + 1] = starts[text]! + set.length;
  const shingles = new Uint32Array(starts[n]!);
  for (const [text, set] of sets.entries()) shingles.set(set, starts[text]);
  const size = tableSize(n);
  const index: JaccardIndex = {
    ...{ kind, n, shingles, starts, keys: new Uint32Array(BANDS * n) },
    ...{ heads: new Uint32Array(BANDS * size), next: new Uint32Array(BANDS * n) },
  };
  // From the last to the first, so that each chain is walked in the order of the texts.
  for (let text = n - 1; text >= 0; text--) {
    if (sets[text]!.length === 0) continue;
    for (const [band, key] of bandKeys(sets[text]!).entries()) {
      const slot = band * size + (spread(key) & (size - 1));
      index.keys[band * n + text] = key;
      index.next[band * n + text] = index.heads[slot]!;
      index.heads[slot] = text + 1;
    }
  }
  return index;
}

/** Finds, for one text after the other, those of the index that are as alike as a threshold asks. One a thread. */
export class JaccardFinder {
  readonly #index: JaccardIndex;
  readonly #threshold: number;
  readonly #seen: Uint32Array;
  #epoch = 0;

  constructor(index: JaccardIndex, threshold: number) {
    this.#index = index;
    this.#threshold = threshold;
    this.#seen = new Uint32Array(index.n);
  }

  /** Every text that is met in a band and is alike in full, by its number; no order is promised. */
  find(text: string): { text: number; jaccard: number }[] {
    const { kind, n, shingles, starts, keys, heads, next } = this.#index;
    const own = shinglesOf(text, kind);
    if (own.length === 0 || n === 0) return [];
    this.#epoch++;
    const size = heads.length / BANDS;
    const found: { text: number; jaccard: number }[] = [];
    for (const [band, key] of bandKeys(own).entries()) {
      let link = heads[band * size + (spread(key) & (size - 1))]!;
      for (; link !== 0; link = next[band * n + link - 1]!) {
        const other = link - 1;
        if (keys[band * n + other] !== key || this.#seen[other] === this.#epoch) continue;
        this.#seen[other] = this.#epoch;
        const similarity = jaccard(own, shingles.subarray(starts[other], starts[other + 1]));
        if (similarity >= this.#threshold) found.push({ text: other, jaccard: similarity });
      }
    }
    return found;
  }

  /** The one that is most alike, the first of several; null for none. */
  best(text: string): { text: number; jaccard: number } | null {
    let best: { text: number; jaccard: number } | null = null;
    for (const one of this.find(text)) {
      if (best === null || one.jaccard > best.jaccard || (one.jaccard === best.jaccard && one.text < best.text)) {
        best = one;
      }
    }
    return best;
  }
}
