/** Rows in groups, one after the other, and their rewards less the mean of their group: what a grouped update sees. */
export interface Asks {
  n: number;
  /** Where each group begins; one more than groups, the last is n. */
  starts: Int32Array;
  /** Of each place. */
  groupOf: Int32Array;
  reward: Float64Array;
  /** Of each group. */
  means: Float64Array;
  /** Squared centred rewards, summed over each group, and over all. */
  ssOf: Float64Array;
  ss: number;
  /** Are all rewards 0 or 1? */
  binary: boolean;
}

/** @param sizes Of the groups, in order; `reward` has their rows one after the other */
export function asksOf(reward: Float64Array, sizes: readonly number[]): Asks {
  const starts = new Int32Array(sizes.length + 1);
  const groupOf = new Int32Array(reward.length);
  const means = new Float64Array(sizes.length);
  const ssOf = new Float64Array(sizes.length);
  let ss = 0;
  let binary = true;
  for (const [g, size] of sizes.entries()) {
    const from = starts[g]!;
    starts[g + 1] = from + size;
    let sum = 0;
    for (let i = from; i < from + size; i++) {
      groupOf[i] = g;
      sum += reward[i]!;
      if (reward[i] !== 0 && reward[i] !== 1) binary = false;
    }
    const mean = size === 0 ? 0 : sum / size;
    means[g] = mean;
    for (let i = from; i < from + size; i++) ssOf[g]! += (reward[i]! - mean) ** 2;
    ss += ssOf[g]!;
  }
  return { n: reward.length, starts, groupOf, reward, means, ssOf, ss, binary };
}
