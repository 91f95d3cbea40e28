import { isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import type { Assignment } from "./region-id.ts";

/** How many pairs of values of two axes were planned, and how many of them some row stands for. */
export interface PairwiseCoverage {
  pairsPlanned: number;
  pairsCovered: number;
  /** To four digits; null when nothing was planned. */
  fraction: number | null;
}

/**
 * Coverage of the grid, which is not coverage of the policy, and is low by arithmetic where few rows were asked for.
 *
 * @param planned Cells
 * @param seen Rows, by their `scenario_dimensions`, or cells
 */
export function pairwiseCoverage(
  planned: readonly Assignment[],
  seen: readonly (Row | Assignment)[],
): PairwiseCoverage {
  const want = new Set(planned.flatMap(pairsOf));
  const have = new Set<string>();
  for (const one of seen) {
    const cell = isObject(one.scenario_dimensions) ? one.scenario_dimensions : one;
    for (const pair of pairsOf(cell)) if (want.has(pair)) have.add(pair);
  }
  const fraction = want.size === 0 ? null : roundHalfEven(have.size / want.size, 4);
  return { pairsPlanned: want.size, pairsCovered: have.size, fraction };
}

function pairsOf(cell: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(cell).map(([axis, value]) => JSON.stringify([axis, textOf(value)]));
  entries.sort();
  return entries.flatMap((one, i) => entries.slice(i + 1).map((other) => `${one}${other}`));
}
