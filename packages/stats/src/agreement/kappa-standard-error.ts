import { Z_95 } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { cohenKappa } from "./cohen-kappa.ts";
import { type Confusion, confusionShares } from "./confusion.ts";

export interface KappaStandardError {
  kappa: number;
  /** Of the estimate, at the kappa that was seen. */
  se: number;
  /** If there were no agreement beyond chance: kappa over this is the test of kappa = 0. */
  seNull: number;
  /** kappa ± 1.96 se, within -1 and 1. */
  ci95: Interval;
}

/**
 * How far Cohen's kappa of this many labels is known. Fleiss, Cohen and Everitt 1969.
 *
 * A table without a disagreement (or with nothing else) has se 0, and an interval that is a point: it is a large
 * sample formula, and says nothing at the ends. The Wilson interval of the agreement does.
 *
 * @returns null where kappa is
 * @throws StatsError `bad_count`
 */
export function kappaStandardError(table: Confusion): KappaStandardError | null {
  const kappa = cohenKappa(table);
  const shares = confusionShares(table);
  if (kappa === null || shares === null) return null;
  const { n, judgePass, goldPass, expected } = shares;
  const rows = [judgePass, 1 - judgePass] as const;
  const columns = [goldPass, 1 - goldPass] as const;
  const cells = [
    [table.tp / n, table.fp / n],
    [table.fn / n, table.tn / n],
  ] as const;

  let variance = -((kappa - expected * (1 - kappa)) ** 2);
  let nullVariance = expected + expected ** 2;
  for (const i of [0, 1] as const) {
    nullVariance -= rows[i] * columns[i] * (rows[i] + columns[i]);
    for (const j of [0, 1] as const) {
      variance +=
        i === j
          ? cells[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2
          : (1 - kappa) ** 2 * cells[i][j] * (columns[i] + rows[j]) ** 2;
    }
  }
  // Both are sums of squares in exact arithmetic; what rounding leaves below 0 is 0.
  const error = (v: number) => Math.sqrt(Math.max(0, v) / n) / (1 - expected);
  const se = error(variance);
  return {
    kappa,
    se,
    seNull: error(nullVariance),
    ci95: [Math.max(-1, kappa - Z_95 * se), Math.min(1, kappa + Z_95 * se)],
  };
}
