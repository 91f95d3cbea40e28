import type { PairOptions } from "./pair-options.ts";

/** One graded reply of a prompt. */
export interface Reply {
  score: number;
  length: number;
  /** The same for replies that are the same to the letter. */
  text: string;
}

export interface Matched {
  /** Places in the list, chosen and rejected. */
  pairs: [chosen: number, rejected: number][];
  /** Admissible by score, refused because both say the same. */
  identical: number;
}

/** Half a millionth: 0.9 - 0.4 falls short of 0.5 by less. */
const SLACK = 5e-7;

/**
 * Disjoint pairs of replies whose scores differ enough. Work grows with the square of the replies of one prompt.
 *
 * @param ranked Replies by score, the best first
 */
export function matchReplies(ranked: readonly Reply[], settings: Required<PairOptions>): Matched {
  const { maxPairsPerPrompt, minMargin, lengthMatch, matching } = settings;
  let identical = 0;
  const candidates: [chosen: number, rejected: number][] = [];
  for (const [i, chosen] of ranked.entries()) {
    for (let j = i + 1; j < ranked.length; j++) {
      const rejected = ranked[j]!;
      if (chosen.score - rejected.score < minMargin - SLACK) continue;
      if (chosen.text === rejected.text) identical++;
      else candidates.push([i, j]);
    }
  }
  const gap = ([i, j]: [number, number]): number => (lengthMatch ? Math.abs(ranked[i]!.length - ranked[j]!.length) : 0);
  // Sorting is stable: candidates of one gap stay in rank order.
  if (matching === "closest") candidates.sort((x, y) => gap(x) - gap(y));
  else candidates.sort((x, y) => x[0] - y[0] || gap(x) - gap(y));

  const used = new Set<number>();
  const pairs: [number, number][] = [];
  for (const [i, j] of candidates) {
    if (pairs.length === maxPairsPerPrompt) break;
    if (used.has(i) || used.has(j)) continue;
    used.add(i).add(j);
    pairs.push([i, j]);
  }
  return { pairs, identical };
}
