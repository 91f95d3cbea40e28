import { foldText } from "./fold-text.ts";
import { isWordly } from "./text-features.ts";
import { type Shingles, TokenScanner } from "./token-scanner.ts";
import { spread } from "./vocabulary.ts";

const LENGTH = 5;

/**
 * The runs of five of a text as hashes, ascending and each once: characters of the folded text with single blanks, or
 * words. A shorter text is one run; one without a word has none.
 *
 * Two runs are taken for one where their hashes of 32 bits collide: of two texts with a thousand runs each, once in
 * four thousand pairs, and then a similarity is off by a thousandth.
 */
export function shinglesOf(text: string, kind: Shingles = "chars"): Uint32Array {
  const units = kind === "chars" ? charUnits(text) : wordUnits(text);
  if (units.length === 0) return new Uint32Array();
  const length = Math.min(LENGTH, units.length);
  const hashes = new Uint32Array(units.length - length + 1);
  for (let at = 0; at < hashes.length; at++) {
    let hash = 0x811c9dc5 | 0;
    for (let i = at; i < at + length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193) + (hash >>> 15);
    hashes[at] = spread(hash);
  }
  hashes.sort();
  let size = 0;
  for (const [at, hash] of hashes.entries()) if (at === 0 || hash !== hashes[at - 1]) hashes[size++] = hash;
  return hashes.slice(0, size);
}

function charUnits(text: string): Uint16Array {
  const folded = foldText(text).replace(/\s+/g, " ").trim();
  if (!isWordly(folded)) return new Uint16Array();
  return Uint16Array.from({ length: folded.length }, (_, i) => folded.charCodeAt(i));
}

function wordUnits(text: string): Int32Array {
  const hashes: number[] = [];
  new TokenScanner("v2").scan(text, (hash) => hashes.push(hash));
  return Int32Array.from(hashes);
}

/** Shared of all, of two ascending lists; 0 where both are empty. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const all = a.length + b.length - shared;
  return all === 0 ? 0 : shared / all;
}
