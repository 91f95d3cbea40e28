import { checkInference, type Inference } from "../inference.ts";
import { type Confusion, confusionShares } from "./confusion.ts";

export interface CohenKappaOptions {
  inference?: Inference;
}

/**
 * Agreement beyond what two independent raters with the same pass shares would reach. It falls when one class
 * dominates, however often the raters agree (`gwetAc1` does not): 90% agreement on nineteen passes in twenty is
 * kappa -0.05. Cohen 1960.
 *
 * @returns -1 to 1; null for an empty table, and when both raters gave one and the same class throughout. The Python
 *   SDK returns 1 there, and so does compat; perfect by default is not evidence.
 * @throws StatsError `bad_count`, `bad_option`
 */
export function cohenKappa(table: Confusion, { inference = "strict" }: CohenKappaOptions = {}): number | null {
  checkInference(inference);
  const shares = confusionShares(table);
  if (shares === null) return null;
  const { agreement, expected } = shares;
  if (expected === 1) return inference === "compat" ? 1 : null;
  return (agreement - expected) / (1 - expected);
}
