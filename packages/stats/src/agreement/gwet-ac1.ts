import { type Confusion, confusionShares } from "./confusion.ts";

/**
 * Agreement beyond chance that stays sane when one class dominates, where kappa collapses: chance is the agreement of
 * raters who guess on the hard rows only. Read it beside kappa, not instead of it: it is 1 for a judge that passes
 * everything on gold that is all pass. Gwet 2008.
 *
 * @returns -1 to 1; null for an empty table
 * @throws StatsError `bad_count`
 */
export function gwetAc1(table: Confusion): number | null {
  const shares = confusionShares(table);
  if (shares === null) return null;
  const pass = (shares.judgePass + shares.goldPass) / 2;
  const chance = 2 * pass * (1 - pass);
  return (shares.agreement - chance) / (1 - chance);
}
