import type { Asks } from "./asks.ts";
import { type CentredFeature, withinRho } from "./centred-feature.ts";
import { partialRho } from "./partial-rho.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

/**
 * The correlation of a feature with the reward inside asks, with another feature held fixed; null where nothing varies
 * then.
 *
 * @param rho Of the feature alone
 */
export function heldFixed(feature: CentredFeature, rho: number, control: CentredFeature, asks: Asks): number | null {
  const square = feature.ss * control.ss;
  if (square <= 1e-12) return null;
  const values = new Float64Array(asks.n);
  for (const [i, place] of control.column.at.entries()) values[place] = control.column.values?.[i] ?? 1;
  const means = new Float64Array(asks.means.length);
  for (let i = 0; i < asks.n; i++) means[asks.groupOf[i]!]! += values[i]!;
  for (let g = 0; g < means.length; g++) means[g]! /= asks.starts[g + 1]! - asks.starts[g]!;
  let product = 0;
  for (const [i, place] of feature.column.at.entries()) {
    product += (feature.column.values?.[i] ?? 1) * (values[place]! - means[asks.groupOf[place]!]!);
  }
  return partialRho(rho, withinRho(control, rewardsOf(asks), asks.ss), product / Math.sqrt(square));
}
