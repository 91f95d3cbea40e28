/** Places of an embedding. More find no more near-copies among prompts of a few sentences. */
const SIZE = 256;
/** Prompts that a new one is held against: the newest. A batch of 96 against 2,048 takes 50 ms. */
const WINDOW = 2048;
const WORD = /[\p{L}\p{N}]+/gu;
const GRAM = 3;

/**
 * Where a text stands among others, without a model: its words and its runs of three letters, hashed into 256 places with
 * a sign, at length 1. Texts with words in common are near.
 */
export function embedPrompt(text: string): Float32Array {
  const place = new Float32Array(SIZE);
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    bump(place, word);
    const padded = ` ${word} `;
    for (let at = 0; at + GRAM <= padded.length; at++) bump(place, padded.slice(at, at + GRAM));
  }
  let squares = 0;
  for (const value of place) squares += value * value;
  if (squares === 0) return place;
  const length = Math.sqrt(squares);
  for (let at = 0; at < SIZE; at++) place[at]! /= length;
  return place;
}

/** FNV-1a over the code units: the same on every machine. */
function bump(place: Float32Array, feature: string): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  place[(hash >>> 0) % SIZE]! += (hash >>> 16) & 1 ? 1 : -1;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < SIZE; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** A candidate by its place in the list, and how far it is from everything before it: 0 a copy, 1 and more a stranger. */
export interface Picked {
  at: number;
  novelty: number;
}

/** The prompts of a search, and how new another would be. */
export class PromptSpace {
  private readonly places: Float32Array[] = [];
  private next = 0;

  /** Takes a prompt in; how new it was. */
  add(prompt: string): number {
    const place = embedPrompt(prompt);
    const novelty = this.noveltyOf(place);
    this.places[this.next] = place;
    this.next = (this.next + 1) % WINDOW;
    return novelty;
  }

  /**
   * Candidates from the farthest on: each is the one that is farthest from what is there and from those picked before it
   * (Gonzalez 1985). Equally far ones in the order given.
   */
  farthestFirst(prompts: readonly string[]): Picked[] {
    const places = prompts.map(embedPrompt);
    const far = places.map((place) => this.noveltyOf(place));
    const left = new Set(prompts.keys());
    const picked: Picked[] = [];
    while (left.size > 0) {
      let best = -1;
      for (const at of left) if (best < 0 || far[at]! > far[best]!) best = at;
      left.delete(best);
      picked.push({ at: best, novelty: far[best]! });
      for (const at of left) far[at] = Math.min(far[at]!, 1 - cosine(places[at]!, places[best]!));
    }
    return picked;
  }

  private noveltyOf(place: Float32Array): number {
    let nearest = 0;
    for (const one of this.places) nearest = Math.max(nearest, cosine(one, place));
    return 1 - nearest;
  }
}
