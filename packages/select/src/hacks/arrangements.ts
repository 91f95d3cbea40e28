import type { Asks } from "./asks.ts";
import type { Rewards } from "./centred-feature.ts";
import { rewardsFrom } from "./shuffled-rewards.ts";

/** In how many distinct orders the rewards can stand inside their asks; a shuffle draws each of them as often. */
export function countArrangements({ reward, starts }: Asks): number {
  let count = 1;
  for (let g = 0; g + 1 < starts.length; g++) {
    const same = new Map<number, number>();
    for (let i = starts[g]!, placed = 1; i < starts[g + 1]!; i++, placed++) {
      const alike = (same.get(reward[i]!) ?? 0) + 1;
      same.set(reward[i]!, alike);
      // Of a multiset, built up one at a time: every step is a whole number.
      count = (count * placed) / alike;
    }
    if (count > Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
  }
  return count;
}

/** Every order once, in turn, in the same array of values each time: as the wheels of a counter, one wheel an ask. */
export function arrangements({ reward, starts, binary }: Asks): () => Rewards {
  const values = Float64Array.from(reward);
  for (let g = 0; g + 1 < starts.length; g++) values.subarray(starts[g]!, starts[g + 1]!).sort();
  let isFirst = true;
  return () => {
    if (!isFirst) {
      let g = 0;
      while (g + 1 < starts.length && !toNextOrder(values.subarray(starts[g]!, starts[g + 1]!))) g++;
    }
    isFirst = false;
    return rewardsFrom(values, binary);
  };
}

/** The next order of a multiset, larger in the alphabet; from the last one back to the first, and false. */
function toNextOrder(values: Float64Array): boolean {
  let pivot = values.length - 2;
  while (pivot >= 0 && values[pivot]! >= values[pivot + 1]!) pivot--;
  if (pivot >= 0) {
    let larger = values.length - 1;
    while (values[larger]! <= values[pivot]!) larger--;
    [values[pivot], values[larger]] = [values[larger]!, values[pivot]!];
  }
  values.subarray(pivot + 1).reverse();
  return pivot >= 0;
}
