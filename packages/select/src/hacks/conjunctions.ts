import { compareCodePoints, roundHalfEven } from "@while/schema";
import type { Asks } from "./asks.ts";
import {
  type CentredFeature,
  centredFeature,
  countAll,
  countBoth,
  type Rewards,
  withinRho,
} from "./centred-feature.ts";
import type { Column } from "./column.ts";

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
  private readonly binary: readonly CentredFeature[];
  private readonly asks: Asks;
  private readonly options: { seeds: number; minObs: number };

  constructor(features: readonly CentredFeature[], asks: Asks, options: { seeds: number; minObs: number }) {
    this.binary = features.filter(({ bits }) => bits !== null);
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
    const [one, other] = [this.binary[a]!.column, this.binary[b]!.column].sort((x, y) =>
      compareCodePoints(x.name, y.name),
    ) as [Column, Column];
    const inOther = new Set(other.at);
    return {
      name: `${one.name} AND ${other.name}`,
      aliases: [],
      at: one.at.filter((place) => inOther.has(place)),
      values: null,
      tier: "pair",
    };
  }

  /** Names of the two parts. */
  parts(a: number, b: number): [string, string] {
    return [this.binary[a]!.column.name, this.binary[b]!.column.name];
  }

  private strongest(rhoOf: (feature: CentredFeature) => number): number[] {
    return this.binary
      .map((feature, i) => ({ i, name: feature.column.name, strength: roundHalfEven(Math.abs(rhoOf(feature)), 6) }))
      .sort((x, y) => y.strength - x.strength || compareCodePoints(x.name, y.name))
      .slice(0, this.options.seeds)
      .map(({ i }) => i);
  }

  private pairOf(a: number, b: number): Pair {
    const key = Math.min(a, b) * this.binary.length + Math.max(a, b);
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      const n = countBoth(this.binary[a]!.bits!, this.binary[b]!.bits!);
      if (n < this.options.minObs) pair = { ss: 0, offset: 0, n };
      else {
        const { ss, offset } = centredFeature(this.column(a, b), this.asks);
        pair = { ss, offset, n };
      }
      this.pairs.set(key, pair);
    }
    return pair;
  }

  private rhoOfPair(one: CentredFeature, other: CentredFeature, { ss, offset, n }: Pair, rewards: Rewards): number {
    if (rewards.bits === null) {
      const a = this.binary.indexOf(one);
      const feature = centredFeature(this.column(a, this.binary.indexOf(other)), this.asks);
      return withinRho(feature, rewards, this.asks.ss);
    }
    if (ss <= 1e-12 * Math.max(1, n) || this.asks.ss <= 0) return 0;
    const sum = countAll(one.bits!, other.bits!, rewards.bits);
    return Math.max(-1, Math.min(1, (sum - offset) / Math.sqrt(ss * this.asks.ss)));
  }
}
