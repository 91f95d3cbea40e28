import { withinRho } from "./centred-feature.ts";
import { heldFixed } from "./held-fixed.ts";
import { type PlainColumns, plainColumns } from "./plain-columns.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

export interface PartialWithinRho {
  /** Correlation of feature and reward inside asks; 0 where either never varies there. */
  rho: number;
  /** The same with `control` held fixed; null where that leaves nothing to vary. */
  rhoGivenControl: number | null;
}

/**
 * What is left of a feature's correlation with the reward inside asks when another one, such as the length of the
 * reply, is held fixed: the partial correlation of the columns less their asks' means.
 *
 * @throws SelectError `bad_option`
 */
export function partialWithinRho({
  reward,
  feature,
  control,
  group,
}: PlainColumns & { feature: readonly number[]; control: readonly number[] }): PartialWithinRho {
  const { asks, features } = plainColumns({ reward, group }, { feature, control });
  const [of, given] = features;
  const rho = withinRho(of!, rewardsOf(asks), asks.ss);
  return { rho, rhoGivenControl: heldFixed(of!, rho, given!, asks) };
}
