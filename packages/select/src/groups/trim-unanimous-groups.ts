import { checkOptions, groupByTask, isObject, type Row } from "@while/schema";
import { type GroupSignal, groupSignal } from "@while/stats";
import { wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { labelsOf } from "./task-pass-rates.ts";

export interface TrimUnanimousOptions {
  /** Labels a task needs before their agreement counts; at least 2. */
  minK?: number;
}

export interface TrimUnanimousReport {
  n: number;
  nKept: number;
  nDropped: number;
  nGroupsDropped: number;
  /** Of the rows that came in. */
  signal: GroupSignal;
}

/**
 * Drops tasks whose rollouts all got the same outcome. A grouped update compares the rollouts of one task, so such a
 * group moves nothing (DAPO, arXiv:2503.14476). Its ungraded rows go with it; a single rollout is no group and stays.
 *
 * @throws SelectError `bad_option`
 */
export function trimUnanimousGroups(
  rows: readonly Row[],
  options: TrimUnanimousOptions = {},
): { rows: Row[]; report: TrimUnanimousReport } {
  checkOptions(options, ["minK"], (what, fix) => new SelectError("bad_option", what, fix));
  const minK = wholeNumber("minK", options.minK ?? 2, 1);
  const dead = new Set<Row>();
  let nGroupsDropped = 0;
  const objects = rows.filter(isObject);
  for (const group of groupByTask(objects).groups.values()) {
    if (!isUnanimous(labelsOf(group), minK)) continue;
    nGroupsDropped++;
    for (const row of group) dead.add(row);
  }
  const kept = objects.filter((row) => !dead.has(row));
  const report = {
    n: rows.length,
    nKept: kept.length,
    nDropped: rows.length - kept.length,
    nGroupsDropped,
    signal: groupSignal(objects),
  };
  return { rows: kept, report };
}

/** At least two labels, at least `minK`, and all of them equal. */
export function isUnanimous(labels: readonly number[], minK = 2): boolean {
  return labels.length >= Math.max(2, minK) && labels.every((label) => label === labels[0]);
}
