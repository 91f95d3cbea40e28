import { wordDraw } from "../draw.ts";
import { type Dimensions, UNSPECIFIED } from "./dimensions.ts";
import { type Constraint, greedyArray } from "./greedy-array.ts";
import type { Assignment } from "./region-id.ts";

export interface CoveringOptions {
  /** Any two axes, or any three. */
  strength?: number;
  constraints?: readonly Constraint[];
}

/**
 * The cells of a grid. Without clauses, a greedy array over all axes. With them, an array without any clause and then
 * one block of cells a clause, which depends on that clause alone: to reword, add or drop a clause touches its block
 * and leaves every other id as it is. The same rows as in the Python SDK.
 *
 * @throws SimulateError `bad_option`, `bad_dimensions`
 */
export function coveringArray(
  dimensions: Dimensions,
  { strength = 2, constraints = [] }: CoveringOptions = {},
): Assignment[] {
  const { rule: rules, ...others } = dimensions;
  if (rules === undefined || strength === 1 || Object.keys(dimensions).length === 1) {
    return greedyArray(dimensions, strength, { constraints });
  }
  const withRule = (rule: string, rows: readonly Assignment[]) => rows.map((row) => ruled(dimensions, rule, row));
  const rows = withRule(UNSPECIFIED, greedyArray(others, strength, { constraints }));
  for (const rule of rules) {
    if (rule !== UNSPECIFIED) rows.push(...withRule(rule, ruleBlock(rule, others, { strength, constraints })));
  }
  return rows;
}

/** The cells of one clause, without it: for pairs each value of every axis once around, for more an array of its own. */
export function ruleBlock(
  rule: string,
  others: Dimensions,
  { strength = 2, constraints = [] }: CoveringOptions = {},
): Assignment[] {
  if (strength > 2 || constraints.length > 0) return greedyArray(others, strength - 1, { constraints });
  const axes = Object.entries(others).map(([axis, values]) => ({
    axis,
    values,
    offset: wordDraw(`${rule}:${axis}:rule-block`) % values.length,
  }));
  const longest = Math.max(0, ...axes.map(({ values }) => values.length));
  return Array.from({ length: longest }, (_, j) =>
    Object.fromEntries(axes.map(({ axis, values, offset }) => [axis, values[(j + offset) % values.length]!])),
  );
}

/** The row with its clause, keys in the order of the axes. */
export function ruled(dimensions: Dimensions, rule: string, row: Assignment): Assignment {
  return Object.fromEntries(Object.keys(dimensions).map((axis) => [axis, axis === "rule" ? rule : row[axis]!]));
}
