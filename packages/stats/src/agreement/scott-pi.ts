import { type Confusion, confusionShares } from "./confusion.ts";

/**
 * Agreement beyond chance where both raters are taken to share one pass share, their mean. At most kappa; the two part
 * where the judge passes more, or fewer, than gold. Scott 1955.
 *
 * @returns -1 to 1; null for an empty table, and where both gave one and the same class throughout
 * @throws StatsError `bad_count`
 */
export function scottPi(table: Confusion): number | null {
  const shares = confusionShares(table);
  if (shares === null) return null;
  const pass = (shares.judgePass + shares.goldPass) / 2;
  if (pass === 0 || pass === 1) return null;
  const chance = pass ** 2 + (1 - pass) ** 2;
  return (shares.agreement - chance) / (1 - chance);
}
