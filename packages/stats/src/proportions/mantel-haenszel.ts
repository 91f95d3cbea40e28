import { normalCdf } from "../kernel/normal.ts";
import { sum } from "../kernel/sum.ts";
import { checkArms, type SuccessCount } from "./success-count.ts";

export interface MantelHaenszel {
  /** Second rate minus first, pooled over strata. */
  delta: number;
  /** Odds of the second over the first, pooled over strata; null where no stratum says anything about one of them. */
  oddsRatio: number | null;
  z: number;
  /** Two-sided, without continuity correction. */
  pValue: number;
  /** Strata where the two could have differed. */
  nInformative: number;
}

/**
 * Do two arms differ once a third thing is held fixed: rates inside each stratum are compared, and pooled. A moderate
 * difference that is the same in every stratum shows here, and in no single one of them. Cochran 1954; Mantel and
 * Haenszel 1959. By the normal law: for strata of a few rows `stratifiedExactTest`.
 *
 * @param strata The two arms of each stratum
 * @returns null where no stratum could have differed: an arm is empty, or all rows of it are alike
 * @throws StatsError `bad_count`
 */
export function mantelHaenszel(
  strata: readonly (readonly [first: SuccessCount, second: SuccessCount])[],
): MantelHaenszel | null {
  for (const [first, second] of strata) checkArms("mantelHaenszel", first, second);
  const compared = strata.filter(([first, second]) => first.n > 0 && second.n > 0);
  const terms = compared.map(([first, second]) => {
    const n = first.n + second.n;
    const passes = first.successes + second.successes;
    return {
      excess: second.successes - (second.n * passes) / n,
      variance: (first.n * second.n * passes * (n - passes)) / (n ** 2 * (n - 1)),
      over: (second.successes * (first.n - first.successes)) / n,
      under: (first.successes * (second.n - second.successes)) / n,
      gap: (second.successes * first.n - first.successes * second.n) / n,
      weight: (first.n * second.n) / n,
    };
  });
  const total = (key: keyof (typeof terms)[number]) => sum(terms.map((term) => term[key]));
  const variance = total("variance");
  if (variance === 0) return null;
  const z = total("excess") / Math.sqrt(variance);
  return {
    delta: total("gap") / total("weight"),
    oddsRatio: total("under") === 0 ? null : total("over") / total("under"),
    z,
    pValue: 2 * normalCdf(-Math.abs(z)),
    nInformative: terms.filter((term) => term.variance > 0).length,
  };
}
