import { roundHalfEven } from "@while/schema";
import type { Asks } from "./asks.ts";
import { type CentredFeature, withinRho } from "./centred-feature.ts";
import { partialRho } from "./partial-rho.ts";
import { perAsk, stratifiedScore } from "./per-ask.ts";
import { pooledRho } from "./pooled-rho.ts";
import type { ScannedFeature } from "./scan-report.ts";
import type { Scanned } from "./scanned.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

/**
 * A feature as the report shows it.
 *
 * @param reward Of all graded rows, for the pooled correlation
 * @param length The column of reply lengths, to hold fixed
 */
export function reportedFeature(
  { feature, whole, rho, endorsed, adjustedP }: Scanned,
  aboveFloor: boolean,
  asks: Asks,
  reward: Float64Array,
  length?: CentredFeature,
): ScannedFeature {
  const { u, v } = stratifiedScore(perAsk(feature.column, asks), asks);
  return {
    name: whole.name,
    aliases: whole.aliases,
    rho: roundHalfEven(rho, 4),
    pooled: roundHalfEven(pooledRho(whole, reward) ?? 0, 4),
    rhoGivenLength: length === undefined || length === feature ? null : givenLength(feature, rho, length, asks),
    z: v <= 0 ? null : roundHalfEven(u / Math.sqrt(v), 4),
    adjustedP,
    nObs: whole.nObs,
    aboveFloor,
    endorsed,
  };
}

function givenLength(feature: CentredFeature, rho: number, length: CentredFeature, asks: Asks): number | null {
  const lengths = new Float64Array(asks.n);
  for (const [i, place] of length.column.at.entries()) lengths[place] = length.column.values?.[i] ?? 1;
  const means = new Float64Array(asks.means.length);
  for (let i = 0; i < asks.n; i++) means[asks.groupOf[i]!]! += lengths[i]!;
  for (let g = 0; g < means.length; g++) means[g]! /= asks.starts[g + 1]! - asks.starts[g]!;
  let product = 0;
  for (const [i, place] of feature.column.at.entries()) {
    product += (feature.column.values?.[i] ?? 1) * (lengths[place]! - means[asks.groupOf[place]!]!);
  }
  const square = feature.ss * length.ss;
  if (square <= 1e-12) return null;
  const withLength = product / Math.sqrt(square);
  const partial = partialRho(rho, withinRho(length, rewardsOf(asks), asks.ss), withLength);
  return partial === null ? null : roundHalfEven(partial, 4);
}
