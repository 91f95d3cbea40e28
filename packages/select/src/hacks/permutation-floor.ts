import { MersenneTwister } from "@while/stats";
import { arrangements, countArrangements } from "./arrangements.ts";
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
  /**
   * Count the given rewards as one of the arrangements, which makes the test exact; go through all arrangements where
   * there are no more than `nPerm`; and stop drawing when nothing can be above the floor any more.
   */
  valid: boolean;
}

/** All arrangements of the rewards, `nPerm` that were drawn, or fewer because the rest would change no verdict. */
export type FloorDraws = "all" | "sampled" | "stopped";

export interface Floor {
  /** What the strongest column reaches by chance in alpha of the shuffles; null when there are too few for that. */
  tau: number | null;
  /** The strongest of each arrangement that was looked at, ascending. */
  strongest: Float64Array;
  draws: FloorDraws;
  /** Of each column: the share of arrangements in which a column no stronger than it does as well (step-down). */
  adjustedP: Float64Array;
}

/**
 * The strongest |rho| that shuffles of the rewards inside every ask reach over all columns: what a search over so many
 * columns finds in noise (maximum statistic, Westfall and Young 1993, step-down for the single columns).
 *
 * @param top The strongest |rho| on the given rewards, of what is searched for too: with it drawing stops early (Besag
 *   and Clifford 1991), once so many shuffles reach it that no further ones could put it above the floor
 */
export function permutationFloor(
  features: readonly CentredFeature[],
  rhos: readonly number[],
  asks: Asks,
  { nPerm, alpha, seed, search, valid }: FloorOptions,
  top: number = Number.POSITIVE_INFINITY,
): Floor {
  const nAll = valid ? countArrangements(asks) : Number.POSITIVE_INFINITY;
  const isAll = nAll <= nPerm;
  const n = isAll ? nAll : nPerm;
  const draw = isAll ? arrangements(asks) : shuffler(asks, new MersenneTwister(seed));
  // Drawn shuffles stand beside the given rewards; all arrangements have them among themselves.
  const given = valid && !isAll ? 1 : 0;
  const rankOf = (drawn: number): number => Math.ceil((1 - alpha) * (drawn + given) - SAME);

  const weakestFirst = rhos.map((_, i) => i).sort((a, b) => Math.abs(rhos[a]!) - Math.abs(rhos[b]!));
  const reached = new Float64Array(features.length);
  const strongest = new Float64Array(n);
  const shuffled = new Float64Array(features.length);
  const indexOf = new Map(features.map((feature, i) => [feature, i]));
  const mostAsStrong = valid && !isAll ? n - rankOf(n) : n;
  let asStrong = 0;
  let drawn = 0;
  while (drawn < n && asStrong <= mostAsStrong) {
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
    if (most >= top - SAME) asStrong++;
    strongest[drawn] = most;
    drawn++;
  }
  const sorted = strongest.subarray(0, drawn).sort();
  const isStopped = drawn < n;
  // Of few shuffles that were enough to stop, the strongest: it reaches the top, as the floor of all would.
  const tau = sorted[isStopped ? Math.min(rankOf(drawn), drawn) - 1 : rankOf(drawn) - 1] ?? null;
  const ownShare = valid && isAll ? 0 : 1;
  const adjustedP = reached.map((count) => (count + ownShare) / (drawn + ownShare));
  // A column is not surer than one that is stronger.
  let least = 0;
  for (const f of weakestFirst.reverse()) {
    least = Math.max(least, adjustedP[f]!);
    adjustedP[f] = least;
  }
  return { tau, strongest: sorted, draws: isAll ? "all" : isStopped ? "stopped" : "sampled", adjustedP };
}

/** Is a correlation above the floor, by more than rounding? */
export function isAboveFloor({ tau }: Pick<Floor, "tau">, rho: number): boolean {
  return tau !== null && Math.abs(rho) > tau + SAME;
}

/** Differences of correlations that are rounding. */
const SAME = 1e-12;

/** The share of arrangements, the given one among them, whose strongest column reaches this. */
export function floorP({ strongest, draws }: Floor, rho: number): number {
  let reached = 0;
  for (const value of strongest) if (value >= Math.abs(rho) - SAME) reached++;
  const given = draws === "all" ? 0 : 1;
  return (reached + given) / (strongest.length + given);
}
