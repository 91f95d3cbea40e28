import { ascending, checkPValues } from "./check-p-values.ts";

/**
 * p-values adjusted so that of what is rejected at a level, at most that share is false on average: for a list of
 * markers to look into, where one false alarm costs a look. Holds for independent metrics and for those that rise
 * together; otherwise `benjaminiYekutieli`. Benjamini and Hochberg 1995.
 *
 * @returns In the order given
 * @throws StatsError `bad_probability`
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  checkPValues("benjaminiHochberg", pValues);
  return stepUp(pValues, 1);
}

/**
 * The same under any dependence between the metrics, at the price of the factor 1 + 1/2 + ... + 1/m. Benjamini and
 * Yekutieli 2001.
 *
 * @returns In the order given
 * @throws StatsError `bad_probability`
 */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  checkPValues("benjaminiYekutieli", pValues);
  let price = 0;
  for (let i = 1; i <= pValues.length; i++) price += 1 / i;
  return stepUp(pValues, price);
}

function stepUp(pValues: readonly number[], price: number): number[] {
  const adjusted = new Array<number>(pValues.length);
  let smallest = 1;
  const order = ascending(pValues);
  for (let rank = order.length; rank >= 1; rank--) {
    const i = order[rank - 1]!;
    smallest = Math.min(smallest, (price * pValues.length * pValues[i]!) / rank);
    adjusted[i] = smallest;
  }
  return adjusted;
}
