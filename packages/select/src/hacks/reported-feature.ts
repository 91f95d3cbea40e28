import { roundHalfEven } from "@while/schema";
import type { Asks } from "./asks.ts";
import type { CentredFeature } from "./centred-feature.ts";
import { heldFixed } from "./held-fixed.ts";
import { askScore, perAsk } from "./per-ask.ts";
import { phraseOf } from "./phrase-of.ts";
import { pooledRho } from "./pooled-rho.ts";
import type { ScannedFeature } from "./scan-report.ts";
import type { Scanned } from "./scanned.ts";

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
  const { u, v } = askScore(perAsk(feature.column, asks), asks);
  return {
    name: whole.name,
    aliases: whole.aliases,
    phrase: phraseOf([whole.name, ...whole.aliases]),
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
  const partial = heldFixed(feature, rho, length, asks);
  return partial === null ? null : roundHalfEven(partial, 4);
}
