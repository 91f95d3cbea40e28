import { checkOptions } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import { coveringArray, ruleBlock, ruled } from "./covering-array.ts";
import { type Dimensions, UNSPECIFIED } from "./dimensions.ts";
import { type Constraint, greedyArray } from "./greedy-array.ts";
import { type Assignment, regionId } from "./region-id.ts";

/** The situations of an agent. Plain data: keep it beside the agent as `grid.json`, and extend it when the agent grows. */
export interface Grid {
  version: 1;
  strength: number;
  dimensions: Dimensions;
  constraints: readonly Constraint[];
  rows: readonly Assignment[];
}

export interface GridOptions {
  strength?: number;
  constraints?: readonly Constraint[];
}

/** What became of the cells of a grid. */
export interface GridChange {
  grid: Grid;
  kept: number;
  /** Cells with a value that is no longer there; their ids. */
  dropped: string[];
  /** Ids of the new cells. */
  added: string[];
}

/** An ask that needs no tool has no tool that could fail, and no entity that could be missing. */
export const UNRELATED_NEEDS_NO_TOOL: Constraint = Object.freeze({
  when: { tool: "unrelated" },
  require: { tool_condition: "success" },
});

/**
 * A grid over these axes. Its first cells are those of the Python SDK, so that ids agree.
 *
 * @throws SimulateError `bad_option`, `bad_dimensions`
 */
export function buildGrid(dimensions: Dimensions, options: GridOptions = {}): Grid {
  checkOptions(options, ["strength", "constraints"], (what, fix) => new SimulateError("bad_option", what, fix));
  const { strength = 2, constraints = [] } = options;
  return { version: 1, strength, dimensions, constraints, rows: coveringArray(dimensions, { strength, constraints }) };
}

/**
 * The grid over other axes that keeps every cell which is still valid, and so its id, and adds cells only for what they
 * do not cover. A fourth tool in a fresh array would move two ids in three; here it moves none.
 *
 * @throws SimulateError `bad_dimensions`
 */
export function extendGrid(grid: Grid, dimensions: Dimensions): GridChange {
  const { strength, constraints } = grid;
  const axes = Object.keys(dimensions);
  // A row without a clause is valid whatever the clauses are.
  const has = (axis: string, value: string | undefined): boolean =>
    value !== undefined && (dimensions[axis]!.includes(value) || (axis === "rule" && value === UNSPECIFIED));
  const isValid = (row: Assignment): boolean =>
    Object.keys(row).length === axes.length && axes.every((axis) => has(axis, row[axis]));
  const kept = grid.rows.filter(isValid);
  const fresh = missingRows(kept, dimensions, strength, constraints);
  return {
    grid: { ...grid, dimensions, rows: [...kept, ...fresh] },
    kept: kept.length,
    dropped: grid.rows.filter((row) => !isValid(row)).map(regionId),
    added: fresh.map(regionId),
  };
}

function missingRows(
  kept: readonly Assignment[],
  dimensions: Dimensions,
  strength: number,
  constraints: readonly Constraint[],
): Assignment[] {
  const { rule: rules, ...others } = dimensions;
  if (rules === undefined || strength === 1 || Object.keys(dimensions).length === 1) {
    return greedyArray(dimensions, strength, { given: kept, constraints });
  }
  const of = (rule: string) => kept.filter((row) => row.rule === rule);
  const add = (rule: string, rows: readonly Assignment[]) => rows.map((row) => ruled(dimensions, rule, row));
  const rows = add(UNSPECIFIED, greedyArray(others, strength, { given: of(UNSPECIFIED), constraints }));
  for (const rule of rules) {
    if (rule === UNSPECIFIED) continue;
    const given = of(rule);
    rows.push(
      ...add(
        rule,
        given.length === 0
          ? ruleBlock(rule, others, { strength, constraints })
          : greedyArray(others, strength - 1, { given, constraints }),
      ),
    );
  }
  return rows;
}
