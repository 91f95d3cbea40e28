import { StatsError } from "../stats-error.ts";

/**
 * How much two ratings are apart: `none` counts all differences alike, `linear` by the steps between them, `quadratic` by
 * their square, `ordinal` by the pairs of categories from the one to the other, which assumes no equal steps (Gwet 2014).
 */
export type KappaWeights = "none" | "linear" | "ordinal" | "quadratic";

/** The words of `KappaWeights`, from the one that forgives nothing. */
export const KAPPA_WEIGHTS: readonly KappaWeights[] = ["none", "linear", "ordinal", "quadratic"];

export interface WeightedKappaOptions {
  weights?: KappaWeights;
  /** All ratings that could be given, lowest first; those that were given, when left out. */
  categories?: readonly number[];
}

export interface WeightedKappa {
  /** Pairs with a rating on both sides. */
  n: number;
  /** Pairs without. */
  nSkipped: number;
  /** Share of pairs with the same rating. */
  agreement: number | null;
  /** -1 to 1; null without pairs, and where both gave one and the same rating throughout. */
  kappa: number | null;
  weights: KappaWeights;
}

/**
 * Kappa of two raters over more than two ratings: three classes, or a scale from 1 to 5, where 4 for 5 is nearly right.
 * The distance of two ratings is that of their places in `categories`. Quadratic weights by default. Cohen 1968.
 *
 * @param judge One rating a row, null where there is none
 * @param gold Of the same row, in the same order
 * @throws StatsError `bad_value` for lists of two lengths, or a rating that is none of `categories`; `bad_option`
 */
export function weightedKappa(
  judge: readonly (number | null)[],
  gold: readonly (number | null)[],
  { weights = "quadratic", categories }: WeightedKappaOptions = {},
): WeightedKappa {
  if (judge.length !== gold.length) {
    throw new StatsError(
      "bad_value",
      `weightedKappa got ${judge.length} and ${gold.length} ratings.`,
      "Pass one of each a row, null where there is none.",
    );
  }
  const distance = DISTANCES[weights];
  if (distance === undefined) {
    throw new StatsError(
      "bad_option",
      `weights is ${JSON.stringify(weights)}.`,
      `Pass one of ${KAPPA_WEIGHTS.join(", ")}.`,
    );
  }
  const pairs = judge.flatMap((a, i) => {
    const b = gold[i]!;
    return a === null || b === null ? [] : [[a, b] as const];
  });
  const places = placesOf(categories ?? [...new Set(pairs.flat())].sort((a, b) => a - b), pairs.flat());
  const n = pairs.length;
  const rows = new Float64Array(places.size);
  const columns = new Float64Array(places.size);
  let seen = 0;
  for (const [a, b] of pairs) {
    const [i, j] = [places.get(a)!, places.get(b)!];
    rows[i]!++;
    columns[j]!++;
    seen += distance(i, j);
  }
  let expected = 0;
  for (const [i, row] of rows.entries()) {
    for (const [j, column] of columns.entries()) expected += (row * column * distance(i, j)) / n;
  }
  return {
    n,
    nSkipped: judge.length - n,
    agreement: n === 0 ? null : pairs.filter(([a, b]) => a === b).length / n,
    kappa: n === 0 || expected === 0 ? null : 1 - seen / expected,
    weights,
  };
}

const DISTANCES: Record<KappaWeights, (i: number, j: number) => number> = {
  none: (i, j) => (i === j ? 0 : 1),
  linear: (i, j) => Math.abs(i - j),
  ordinal: (i, j) => ((Math.abs(i - j) + 1) * Math.abs(i - j)) / 2,
  quadratic: (i, j) => (i - j) ** 2,
};

function placesOf(categories: readonly number[], ratings: readonly number[]): Map<number, number> {
  const places = new Map(categories.map((category, place) => [category, place]));
  const stranger = ratings.find((rating) => !places.has(rating) || !Number.isFinite(rating));
  if (stranger === undefined) return places;
  throw new StatsError(
    "bad_value",
    `A rating is ${stranger}, and the categories are ${categories.join(", ")}.`,
    "Name every rating that can be given, or leave categories out.",
  );
}
