import { StatsError } from "../stats-error.ts";

/** Scores from `low` to `high`, which the fit maps to one value. */
export interface IsotonicBlock {
  low: number;
  high: number;
  value: number;
  /** Pairs in it. */
  n: number;
}

/** A map that never falls: a higher score never means a lower value. */
export interface IsotonicFit {
  /** Pairs with a number on both sides. */
  n: number;
  nSkipped: number;
  /** From the lowest score up, each with a higher value than the one before. */
  blocks: IsotonicBlock[];
}

/**
 * The rising map from scores to values with the least squared error: what a score of 0.9 has meant so far, with no shape
 * assumed but that more is never less. Pool adjacent violators (Ayer et al. 1955); for 0 and 1 it is also the fit of
 * greatest likelihood (Zadrozny and Elkan 2002). It follows the rows it was fitted on: judge it on others.
 *
 * @param scores One a row, null where there is none
 * @param values Of the same rows: outcomes of 0 and 1, or marks
 * @throws StatsError `bad_value` for lists of two lengths or a number that is not finite
 */
export function isotonicFit(scores: readonly (number | null)[], values: readonly (number | null)[]): IsotonicFit {
  if (scores.length !== values.length) {
    throw new StatsError(
      "bad_value",
      `isotonicFit got ${scores.length} scores and ${values.length} values.`,
      "Pass one of each a row, null where there is none.",
    );
  }
  // Rows with one score share one value, whatever their order.
  const sums = new Map<number, { total: number; n: number }>();
  let n = 0;
  for (const [i, score] of scores.entries()) {
    const value = values[i]!;
    if (score === null || value === null) continue;
    if (!(Number.isFinite(score) && Number.isFinite(value))) {
      throw new StatsError(
        "bad_value",
        `isotonicFit got the score ${score} with the value ${value}.`,
        "Pass finite numbers, or null.",
      );
    }
    const own = sums.get(score) ?? { total: 0, n: 0 };
    own.total += value;
    own.n++;
    sums.set(score, own);
    n++;
  }
  const blocks: { low: number; high: number; total: number; n: number }[] = [];
  for (const [score, own] of [...sums].sort(([a], [b]) => a - b)) {
    let block = { low: score, high: score, ...own };
    for (let last = blocks.at(-1); last !== undefined && mean(last) >= mean(block); last = blocks.at(-1)) {
      blocks.pop();
      block = { low: last.low, high: score, total: last.total + block.total, n: last.n + block.n };
    }
    blocks.push(block);
  }
  return {
    ...{ n, nSkipped: scores.length - n },
    blocks: blocks.map((block) => ({ low: block.low, high: block.high, value: mean(block), n: block.n })),
  };
}

const mean = ({ total, n }: { total: number; n: number }): number => total / n;

/**
 * What the fit makes of a score: the value of its block, on the straight line between two blocks, and the nearest end
 * outside of what was seen.
 *
 * @returns null from a fit of no rows
 */
export function isotonicAt({ blocks }: Pick<IsotonicFit, "blocks">, score: number): number | null {
  let before: IsotonicBlock | undefined;
  for (const block of blocks) {
    if (score <= block.high) {
      if (score >= block.low || before === undefined) return block.value;
      const way = (score - before.high) / (block.low - before.high);
      return before.value + way * (block.value - before.value);
    }
    before = block;
  }
  return before?.value ?? null;
}
