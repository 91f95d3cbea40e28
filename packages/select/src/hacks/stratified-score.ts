import { arrangements, countArrangements } from "./arrangements.ts";
import { withinRho } from "./centred-feature.ts";
import { askScore, perAsk } from "./per-ask.ts";
import { type PlainColumns, plainColumns } from "./plain-columns.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

export interface StratifiedScore {
  /** Sum over asks of the products of feature and reward, each less its ask's mean; 0 is expected by chance. */
  u: number;
  /** Variance of `u` over all orders of the rewards inside their asks. */
  v: number;
  /** u / sqrt(v); null where either list never varies inside an ask. */
  z: number | null;
  /** Share of all arrangements with a |u| of at least this; null with `z`, and where there are over a million. */
  pExact: number | null;
  /** Infinity where there are more than can be counted. */
  nArrangements: number;
}

/** Arrangements up to which all are looked at. */
const MOST = 1e6;

/**
 * Does one feature move with the reward inside asks? The conditional-logit score with the asks held fixed, which is
 * Cochran, Mantel and Haenszel's for lists of 0 and 1: exact by enumeration in a small set, `z` against a normal in a
 * large one. For one feature that was chosen beforehand; `hackScan` pays for having looked at many.
 *
 * @throws SelectError `bad_option`
 */
export function stratifiedScore({
  reward,
  feature,
  group,
}: PlainColumns & { feature: readonly number[] }): StratifiedScore {
  const { asks, features } = plainColumns({ reward, group }, { feature });
  const [centred] = features;
  const { u, v } = askScore(perAsk(centred!.column, asks), asks);
  const nArrangements = countArrangements(asks);
  if (v <= 1e-12) return { u, v: 0, z: null, pExact: null, nArrangements };
  const z = u / Math.sqrt(v);
  if (nArrangements > MOST) return { u, v, z, pExact: null, nArrangements };
  const next = arrangements(asks);
  const given = Math.abs(withinRho(centred!, rewardsOf(asks), asks.ss)) - 1e-12;
  let asFar = 0;
  for (let i = 0; i < nArrangements; i++) if (Math.abs(withinRho(centred!, next(), asks.ss)) >= given) asFar++;
  return { u, v, z, pExact: asFar / nArrangements, nArrangements };
}
