import { checkOptions, cutCodePoints, isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import { SelectError } from "../select-error.ts";

/** Shared share of the words from which two prompts count as one ask reworded. */
export const NEAR_DUP_JACCARD = 0.8;

export interface NearDuplicateOptions {
  /** Jaccard similarity of the word sets from which two prompts pair, above 0 and at most 1. */
  threshold?: number;
}

export interface NearDuplicatesReport {
  /** Distinct prompts. */
  nPrompts: number;
  nPairs: number;
  nPromptsInvolved: number;
  threshold: number;
  /** The first five pairs, in the order of the prompts; texts cut to 80 code points, similarity to 3 decimals. */
  examples: { a: string; b: string; jaccard: number }[];
}

const EXAMPLES_SHOWN = 5;
const EXAMPLE_CHARS = 80;

/**
 * Pairs of distinct prompts that share most of their words (`[a-z0-9]+`, lower-cased, as sets). A report only:
 * paraphrases are made on purpose for SFT. A prompt without such a word, one in Chinese say, never pairs.
 *
 * Exact, without comparing all pairs: two sets of similarity t share a word among the rarest ⌊(1 - t) · size⌋ + 1 of
 * each, so an index of those finds every partner (prefix filtering, Chaudhuri et al. 2006). 100,000 prompts of 12
 * words from a vocabulary of 20,000 take 2.5 s; the cost grows with the pairs there are.
 *
 * @throws SelectError `bad_option`
 */
export function nearDuplicatePrompts(rows: readonly Row[], options: NearDuplicateOptions = {}): NearDuplicatesReport {
  checkOptions(options, ["threshold"], (what, fix) => new SelectError("bad_option", what, fix));
  const { threshold = NEAR_DUP_JACCARD } = options;
  if (!(threshold > 0 && threshold <= 1)) {
    throw new SelectError("bad_option", `threshold is ${threshold}.`, "Pass a share above 0 and at most 1.");
  }
  const prompts = distinctPrompts(rows);
  const examples: { i: number; j: number; jaccard: number }[] = [];
  const involved = new Uint8Array(prompts.length);
  let nPairs = 0;
  forEachPair(wordSets(prompts), threshold, (i, j, jaccard) => {
    nPairs++;
    involved[i] = 1;
    involved[j] = 1;
    const last = examples.at(-1);
    if (examples.length === EXAMPLES_SHOWN && last !== undefined && (i > last.i || (i === last.i && j > last.j)))
      return;
    examples.push({ i, j, jaccard });
    examples.sort((a, b) => a.i - b.i || a.j - b.j);
    examples.length = Math.min(examples.length, EXAMPLES_SHOWN);
  });
  return {
    nPrompts: prompts.length,
    nPairs,
    nPromptsInvolved: involved.reduce((sum, is) => sum + is, 0),
    threshold,
    examples: examples.map(({ i, j, jaccard }) => ({
      a: cutCodePoints(prompts[i]!, EXAMPLE_CHARS),
      b: cutCodePoints(prompts[j]!, EXAMPLE_CHARS),
      jaccard: roundHalfEven(jaccard, 3),
    })),
  };
}

function distinctPrompts(rows: readonly Row[]): string[] {
  const prompts = new Set<string>();
  for (const row of rows) {
    const prompt = isObject(row) ? textOf(row.prompt) : "";
    if (prompt !== "") prompts.add(prompt);
  }
  return [...prompts];
}

/** Every prompt's words as ids in ascending order, where a rarer word has the smaller id. */
function wordSets(prompts: readonly string[]): Int32Array[] {
  const words = prompts.map((prompt) => [...new Set(prompt.toLowerCase().match(/[a-z0-9]+/g) ?? [])]);
  const frequency = new Map<string, number>();
  for (const list of words) for (const word of list) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const ids = new Map([...frequency].sort(([, a], [, b]) => a - b).map(([word], id) => [word, id]));
  return words.map((list) => Int32Array.from(list, (word) => ids.get(word)!).sort());
}

function forEachPair(
  sets: readonly Int32Array[],
  threshold: number,
  found: (i: number, j: number, jaccard: number) => void,
): void {
  const index = new Map<number, number[]>();
  // The last prompt that was compared with each, so that two shared rare words compare a pair once.
  const comparedWith = new Int32Array(sets.length).fill(-1);
  for (const [j, set] of sets.entries()) {
    // A hair below the product: a rounding error may cost a comparison but never a pair.
    const shared = Math.ceil(threshold * set.length - 1e-9);
    const prefix = set.subarray(0, set.length === 0 ? 0 : set.length - Math.max(1, shared) + 1);
    for (const word of prefix) {
      const earlier = index.get(word);
      if (earlier === undefined) {
        index.set(word, [j]);
        continue;
      }
      for (const i of earlier) {
        if (comparedWith[i] === j) continue;
        comparedWith[i] = j;
        const other = sets[i]!;
        if (Math.min(set.length, other.length) < threshold * Math.max(set.length, other.length) - 1e-9) continue;
        const jaccard = similarity(set, other);
        if (jaccard >= threshold) found(i, j, jaccard);
      }
      earlier.push(j);
    }
  }
}

/** Shared over all, of two ascending lists. */
function similarity(a: Int32Array, b: Int32Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return shared / (a.length + b.length - shared);
}
