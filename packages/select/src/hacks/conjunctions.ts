import { compareCodePoints } from "@while/schema";
import type { Asks } from "./asks.ts";
import { type CentredFeature, countAll, countBoth, isFlat, type Rewards } from "./centred-feature.ts";
import { both, type Column } from "./column.ts";

interface Pair {
  ss: number;
  offset: number;
  /** Rows that have both. */
  n: number;
}

/**
 * Pairs of columns of ones that separate rewards better together than either alone. Which pairs are looked at depends
 * on the rewards (the `seeds` strongest columns), so a floor has to look again in every shuffle: with the pairs of the
 * real rewards held fixed, 31 to 45 of 100 null sets had something above a 5% floor.
 */
export class ConjunctionSearch {
  private readonly pairs = new Map<number, Pair>();
  /** By name, so that of equally strong ones the first in order wins. */
  private readonly binary: readonly CentredFeature[];
  private readonly asks: Asks;
  private readonly options: { seeds: number; minObs: number };

  constructor(features: readonly CentredFeature[], asks: Asks, options: { seeds: number; minObs: number }) {
    this.binary = features
      .filter(({ bits }) => bits !== null)
      .sort((x, y) => compareCodePoints(x.column.name, y.column.name));
    this.asks = asks;
    this.options = options;
  }

  /**
   * The pairs that beat both of their parts on these rewards.
   *
   * @param rhoOf Of the single columns on the same rewards
   */
  found(rewards: Rewards, rhoOf: (feature: CentredFeature) => number): { a: number; b: number; rho: number }[] {
    const strongest = this.strongest(rhoOf);
    const found: { a: number; b: number; rho: number }[] = [];
    for (const [x, a] of strongest.entries()) {
      for (const b of strongest.slice(x + 1)) {
        const pair = this.pairOf(a, b);
        const [one, other] = [this.binary[a]!, this.binary[b]!];
        if (pair.n < this.options.minObs || pair.n >= one.column.at.length || pair.n >= other.column.at.length)
          continue;
        const rho = this.rhoOfPair(one, other, pair, rewards);
        if (Math.abs(rho) > Math.max(Math.abs(rhoOf(one)), Math.abs(rhoOf(other)))) found.push({ a, b, rho });
      }
    }
    return found;
  }

  /** The pair as a column of its own. */
  column(a: number, b: number): Column {
    const [one, other] = this.parts(a, b);
    return both(one.column, other.column);
  }

  /** The two parts, in the order of their names. */
  parts(a: number, b: number): [CentredFeature, CentredFeature] {
    return [this.binary[Math.min(a, b)]!, this.binary[Math.max(a, b)]!];
  }

  /** Strengths to the sixth digit, because sums in another order differ in the last. */
  private strongest(rhoOf: (feature: CentredFeature) => number): number[] {
    const { seeds } = this.options;
    const best: number[] = [];
    const strengths: number[] = [];
    for (const [i, feature] of this.binary.entries()) {
      const strength = Math.round(Math.abs(rhoOf(feature)) * 1e6);
      if (best.length === seeds && strength <= strengths[seeds - 1]!) continue;
      let place = Math.min(best.length, seeds - 1);
      for (; place > 0 && strengths[place - 1]! < strength; place--) {
        best[place] = best[place - 1]!;
        strengths[place] = strengths[place - 1]!;
      }
      best[place] = i;
      strengths[place] = strength;
    }
    return best;
  }

  private pairOf(a: number, b: number): Pair {
    const key = Math.min(a, b) * this.binary.length + Math.max(a, b);
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = this.measured(this.binary[a]!, this.binary[b]!);
      this.pairs.set(key, pair);
    }
    return pair;
  }

  private measured(one: CentredFeature, other: CentredFeature): Pair {
    const n = countBoth(one.bits!, other.bits!);
    if (n < this.options.minObs) return { ss: 0, offset: 0, n };
    const { groupOf, starts, means } = this.asks;
    let ss = n;
    let offset = 0;
    let group = -1;
    let count = 0;
    const close = (): void => {
      if (count === 0) return;
      ss -= (count * count) / (starts[group + 1]! - starts[group]!);
      offset += count * means[group]!;
      count = 0;
    };
    const [a, b] = [one.bits!, other.bits!];
    for (let word = 0; word < a.length; word++) {
      // The lowest bit of what is left, then what is left without it.
      for (let left = a[word]! & b[word]!; left !== 0; left &= left - 1) {
        const place = (word << 5) + 31 - Math.clz32(left & -left);
        if (groupOf[place] !== group) {
          close();
          group = groupOf[place]!;
        }
        count++;
      }
    }
    close();
    return { ss: Math.max(0, ss), offset, n };
  }

  private rhoOfPair(one: CentredFeature, other: CentredFeature, { ss, offset, n }: Pair, rewards: Rewards): number {
    if (isFlat(ss, n) || this.asks.ss <= 0) return 0;
    let sum = 0;
    if (rewards.bits !== null) sum = countAll(one.bits!, other.bits!, rewards.bits);
    else for (const place of one.column.at) if (has(other.bits!, place)) sum += rewards.values[place]!;
    return Math.max(-1, Math.min(1, (sum - offset) / Math.sqrt(ss * this.asks.ss)));
  }
}

function has(bits: Uint32Array, place: number): boolean {
  return ((bits[place >>> 5]! >>> (place & 31)) & 1) === 1;
}
