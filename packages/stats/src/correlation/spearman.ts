import { sampleOf } from "../interval/sample.ts";
import { pearson } from "./pearson.ts";

/**
 * Rank correlation: does one rise with the other, by whatever curve? Pearson's correlation of the ranks, tied values
 * sharing the mean of theirs. One extreme reply does not carry it, as it can Pearson's. Spearman 1904.
 *
 * @returns -1 to 1; null under three points, for lists of two lengths, and when a side is constant
 * @throws StatsError `bad_value` for a value that is not finite
 */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  sampleOf(x);
  sampleOf(y);
  return pearson(ranks(x), ranks(y));
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranked = new Array<number>(values.length);
  let first = 0;
  while (first < order.length) {
    let last = first;
    while (last + 1 < order.length && values[order[last + 1]!] === values[order[first]!]) last++;
    for (let at = first; at <= last; at++) ranked[order[at]!] = (first + last) / 2 + 1;
    first = last + 1;
  }
  return ranked;
}
