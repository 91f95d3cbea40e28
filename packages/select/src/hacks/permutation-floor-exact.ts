import { SelectError } from "../select-error.ts";
import { countArrangements } from "./arrangements.ts";
import { withinRho } from "./centred-feature.ts";
import { permutationFloor } from "./permutation-floor.ts";
import { type PlainColumns, plainColumns } from "./plain-columns.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

export interface PermutationFloorExact {
  nArrangements: number;
  /** Of each feature, inside asks. */
  rhos: number[];
  /** Every value that the strongest feature takes over all arrangements, ascending, and its share of them. */
  nullMax: [strongest: number, share: number][];
  /** What the strongest reaches in alpha of the arrangements at most. */
  tau: number;
  /** Share of arrangements whose strongest feature reaches the strongest of the given rewards. */
  pOfBest: number;
}

const MOST = 1e6;

/**
 * The floor of `hackScan` without chance: the strongest |rho| of every arrangement of the rewards inside their asks. To
 * check a drawn floor against, which comes down to it; `hackScan` itself takes it where no more than `nPerm` exist.
 *
 * @param features Lists of numbers, one entry a rollout
 * @throws SelectError `bad_option`, also for more than a million arrangements
 */
export function permutationFloorExact({
  reward,
  group,
  features: lists,
  alpha = 0.05,
}: PlainColumns & { features: readonly (readonly number[])[]; alpha?: number }): PermutationFloorExact {
  const named = Object.fromEntries(lists.map((list, i) => [`features[${i}]`, list]));
  const { asks, features } = plainColumns({ reward, group }, named);
  const nArrangements = countArrangements(asks);
  if (nArrangements > MOST) {
    throw new SelectError(
      "bad_option",
      `The rewards have ${nArrangements === Number.POSITIVE_INFINITY ? "over 2^53" : nArrangements} arrangements.`,
      `Pass fewer rollouts, or ask hackScan, which draws some of them. Up to ${MOST} are enumerated.`,
    );
  }
  const rhos = features.map((feature) => withinRho(feature, rewardsOf(asks), asks.ss));
  const options = { nPerm: nArrangements, alpha, seed: 0, search: null, valid: true };
  const { strongest, tau } = permutationFloor(features, rhos, asks, options);
  const best = rhos.reduce((most, rho) => Math.max(most, Math.abs(rho)), 0);
  const nullMax: PermutationFloorExact["nullMax"] = [];
  for (const value of strongest) {
    const last = nullMax.at(-1);
    if (last === undefined || value > last[0] + SAME) nullMax.push([value, 1 / nArrangements]);
    else last[1] += 1 / nArrangements;
  }
  const pOfBest = strongest.filter((value) => value >= best - SAME).length / nArrangements;
  return { nArrangements, rhos, nullMax, tau: tau!, pOfBest };
}

/** Correlations that differ by rounding alone. */
const SAME = 1e-12;
