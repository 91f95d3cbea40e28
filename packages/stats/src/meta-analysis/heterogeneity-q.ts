import { chiSquareUpperTail } from "../kernel/chi-square.ts";
import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/** One group's change and how far it is known. */
export interface GroupEffect {
  delta: number;
  se: number;
}

export interface HeterogeneityQ {
  /** Mean of the changes, each weighted by 1 / se². */
  pooled: number;
  q: number;
  df: number;
  /** Chance of changes this far apart if all groups moved alike. */
  pValue: number;
  /** Share of the spread between groups that their standard errors do not explain: max(0, (Q - df) / Q). */
  i2: number;
}

/**
 * Did the groups move differently? Ask this before reading "up in A, not in B" off two intervals. Cochran's Q (1954)
 * and I² (Higgins and Thompson 2002).
 *
 * @returns null under two groups
 * @throws StatsError `bad_value` for a standard error that is not positive: leave such groups out
 */
export function heterogeneityQ(groups: readonly GroupEffect[]): HeterogeneityQ | null {
  for (const { delta, se } of groups) {
    if (Number.isFinite(delta) && se > 0 && Number.isFinite(se)) continue;
    throw new StatsError(
      "bad_value",
      `heterogeneityQ got the change ${delta} with standard error ${se}.`,
      "Leave out groups whose spread was not measured.",
    );
  }
  if (groups.length < 2) return null;
  // Over the smallest, so that no weight leaves the range of a double.
  const smallest = Math.min(...groups.map(({ se }) => se));
  const weights = groups.map(({ se }) => (smallest / se) ** 2);
  const pooled = sum(groups.map(({ delta }, i) => weights[i]! * delta)) / sum(weights);
  const q = sum(groups.map(({ delta, se }) => ((delta - pooled) / se) ** 2));
  const df = groups.length - 1;
  return { pooled, q, df, pValue: chiSquareUpperTail(q, df), i2: q === 0 ? 0 : Math.max(0, (q - df) / q) };
}
