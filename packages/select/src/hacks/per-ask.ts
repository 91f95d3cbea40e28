import type { Asks } from "./asks.ts";
import type { Column } from "./column.ts";

/** What each ask adds to the correlation of a column with the reward. */
export interface PerAsk {
  /** Centred products. */
  products: Float64Array;
  /** Centred squares of the column. */
  squares: Float64Array;
}

/** Sums of centred products and squares, ask by ask. */
export function perAsk({ at, values }: Column, { groupOf, starts, means, reward }: Asks): PerAsk {
  const nGroups = means.length;
  const sums = new Float64Array(nGroups);
  const squares = new Float64Array(nGroups);
  const products = new Float64Array(nGroups);
  for (let i = 0; i < at.length; i++) {
    const g = groupOf[at[i]!]!;
    const value = values === null ? 1 : values[i]!;
    sums[g]! += value;
    squares[g]! += value * value;
    products[g]! += value * (reward[at[i]!]! - means[g]!);
  }
  for (let g = 0; g < nGroups; g++) squares[g]! -= (sums[g]! * sums[g]!) / (starts[g + 1]! - starts[g]!);
  return { products, squares };
}

/** Asks in which the column takes more than one value. */
export function asksVaried({ squares }: PerAsk): number {
  let varied = 0;
  for (const square of squares) if (square > 1e-12) varied++;
  return varied;
}

/**
 * Score of a single feature with the asks held fixed: U = sum of centred products, V its variance over all orders of
 * the rewards inside every ask, z = U / sqrt(V). The conditional-logit score; Cochran-Mantel-Haenszel for 0 and 1.
 */
export function askScore({ products, squares }: PerAsk, { starts, ssOf }: Asks): { u: number; v: number } {
  let u = 0;
  let v = 0;
  for (let g = 0; g < products.length; g++) {
    const size = starts[g + 1]! - starts[g]!;
    u += products[g]!;
    if (size > 1) v += (squares[g]! * ssOf[g]!) / (size - 1);
  }
  return { u, v };
}
