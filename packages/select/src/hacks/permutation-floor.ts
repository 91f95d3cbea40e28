import { MersenneTwister } from "@while/stats";
import type { Asks } from "./asks.ts";
import { type CentredFeature, withinRho } from "./centred-feature.ts";
import type { ConjunctionSearch } from "./conjunctions.ts";
import { shuffler } from "./shuffled-rewards.ts";

export interface FloorOptions {
  nPerm: number;
  alpha: number;
  seed: number;
  /** Looked for again in every shuffle; null for columns held fixed. */
  search: ConjunctionSearch | null;
  /** Count the given rewards as one of the arrangements, which makes the test exact. */
  valid: boolean;
}

export interface Floor {
  /** What the strongest column reaches by chance in alpha of the shuffles; null when there are too few for that. */
  tau: number | null;
  /** The strongest of each shuffle, ascending. */
  strongest: Float64Array;
  /** Of each column: the share of arrangements in which a column no stronger than it does as well (step-down). */
  adjustedP: Float64Array;
}

/**
 * The strongest |rho| that shuffles of the rewards inside every ask reach over all columns: what a search over so many
 * columns finds in noise (maximum statistic, Westfall and Young 1993, step-down for the single columns).
 */
export function permutationFloor(
  features: readonly CentredFeature[],
  rhos: readonly number[],
  asks: Asks,
  { nPerm, alpha, seed, search, valid }: FloorOptions,
): Floor {
  const draw = shuffler(asks, new MersenneTwister(seed));
  const weakestFirst = rhos.map((_, i) => i).sort((a, b) => Math.abs(rhos[a]!) - Math.abs(rhos[b]!));
  const reached = new Float64Array(features.length);
  const strongest = new Float64Array(nPerm);
  const shuffled = new Float64Array(features.length);
  const indexOf = new Map(features.map((feature, i) => [feature, i]));
  for (let b = 0; b < nPerm; b++) {
    const rewards = draw();
    for (let f = 0; f < features.length; f++) shuffled[f] = withinRho(features[f]!, rewards, asks.ss);
    let most = 0;
    if (search !== null) {
      for (const { rho } of search.found(rewards, (feature) => shuffled[indexOf.get(feature)!]!)) {
        most = Math.max(most, Math.abs(rho));
      }
    }
    for (const f of weakestFirst) {
      most = Math.max(most, Math.abs(shuffled[f]!));
      if (most >= Math.abs(rhos[f]!) - SAME) reached[f]!++;
    }
    strongest[b] = most;
  }
  strongest.sort();
  const rank = Math.ceil((1 - alpha) * (valid ? nPerm + 1 : nPerm));
  const adjustedP = reached.map((count) => (count + 1) / (nPerm + 1));
  // A column is not surer than one that is stronger.
  let least = 0;
  for (const f of weakestFirst.reverse()) {
    least = Math.max(least, adjustedP[f]!);
    adjustedP[f] = least;
  }
  return { tau: strongest[rank - 1] ?? null, strongest, adjustedP };
}

/** Differences of correlations that are rounding. */
const SAME = 1e-12;

/** The share of arrangements, the given one among them, whose strongest column reaches this. */
export function floorP({ strongest }: Floor, rho: number): number {
  let reached = 0;
  for (const value of strongest) if (value >= Math.abs(rho) - SAME) reached++;
  return (reached + 1) / (strongest.length + 1);
}
