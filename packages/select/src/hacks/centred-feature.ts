import type { Asks } from "./asks.ts";
import type { Column } from "./column.ts";

/** A column ready to be correlated with any rewards that have the same mean in every group. */
export interface CentredFeature {
  column: Column;
  /** Sum of squares less the groups' means. */
  ss: number;
  /** What the groups' mean rewards add to the sum of products: it is the same whatever the shuffle. */
  offset: number;
  /** Its places as bits, of a column of ones. */
  bits: Uint32Array | null;
}

/** Sums of squares and offset in one pass over the entries. */
export function centredFeature(column: Column, { n, groupOf, starts, means }: Asks): CentredFeature {
  const { at, values } = column;
  let ss = 0;
  let offset = 0;
  let sum = 0;
  let group = -1;
  const close = (): void => {
    if (group < 0) return;
    ss -= (sum * sum) / (starts[group + 1]! - starts[group]!);
    offset += sum * means[group]!;
  };
  for (let i = 0; i < at.length; i++) {
    const g = groupOf[at[i]!]!;
    if (g !== group) {
      close();
      group = g;
      sum = 0;
    }
    const value = values === null ? 1 : values[i]!;
    sum += value;
    ss += value * value;
  }
  close();
  return { column, ss: Math.max(0, ss), offset, bits: values === null ? bitsOf(at, n) : null };
}

/** Places as bits, 32 a word. */
export function bitsOf(at: Int32Array, n: number): Uint32Array {
  const bits = new Uint32Array((n + 31) >>> 5);
  for (const place of at) bits[place >>> 5]! |= 1 << (place & 31);
  return bits;
}

/** Bits set in both. */
export function countBoth(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) count += ones(a[i]! & b[i]!);
  return count;
}

/** Bits set in all three. */
export function countAll(a: Uint32Array, b: Uint32Array, c: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) count += ones(a[i]! & b[i]! & c[i]!);
  return count;
}

function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Rewards in the places of the rows; as bits too when they are 0 and 1. */
export interface Rewards {
  values: Float64Array;
  bits: Uint32Array | null;
}

/** Correlation of a column with rewards inside the groups; 0 when either never varies there. */
export function withinRho({ column, ss, offset, bits }: CentredFeature, rewards: Rewards, ssReward: number): number {
  if (isFlat(ss, column.at.length) || ssReward <= 0) return 0;
  let sum = 0;
  if (bits !== null && rewards.bits !== null) sum = countBoth(bits, rewards.bits);
  else {
    const { at, values } = column;
    const { values: reward } = rewards;
    // Every place has one: no need to look up which.
    if (at.length === reward.length && values !== null)
      for (let i = 0; i < values.length; i++) sum += values[i]! * reward[i]!;
    else if (values === null) for (let i = 0; i < at.length; i++) sum += reward[at[i]!]!;
    else for (let i = 0; i < at.length; i++) sum += values[i]! * reward[at[i]!]!;
  }
  return Math.max(-1, Math.min(1, (sum - offset) / Math.sqrt(ss * ssReward)));
}

/** Do squares of n entries add up to no more than rounding? */
export function isFlat(ss: number, n: number): boolean {
  return ss <= 1e-12 * Math.max(1, n);
}
