import { isObject, type Row, taskKey } from "@while/schema";
import type { Inference } from "../inference.ts";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { gradedReward } from "../rows/graded-reward.ts";

export type Arm = "before" | "after";

export interface BalancedRollouts {
  before: readonly Row[];
  after: readonly Row[];
  rowsDropped: { before: number; after: number };
  /** Tasks whose two sides had different numbers of rollouts. */
  tasksTrimmed: number;
}

/**
 * Which of a task's `n` rollouts stay, as positions in file order: the first `keep` of a shuffle seeded by seed, side
 * and task, so that a task keeps the same rows whatever the other tasks are.
 *
 * @throws StatsError `bad_seed`
 */
export function balanceKeep(
  n: number,
  keep: number,
  { seed = 0, side, task }: { seed?: number; side: Arm; task: string },
): number[] {
  const order = new MersenneTwister(`${seed}:${side}:${task}`).shuffle(Array.from({ length: n }, (_, i) => i));
  return order.slice(0, keep).sort((a, b) => a - b);
}

/**
 * Gives every shared task as many rollouts on one side as on the other, by leaving out rows of the fuller side. Unequal
 * numbers cost precision and bias nothing, so this is seldom wanted. Strict counts graded rows, and ungraded ones stay;
 * compat counts every row, as the Python SDK does, and may drop a graded one for an ungraded.
 *
 * @throws StatsError `bad_seed`
 */
export function balanceRollouts(
  before: readonly Row[],
  after: readonly Row[],
  { seed = 0, inference = "strict" }: { seed?: number; inference?: Inference } = {},
): BalancedRollouts {
  const [rowsA, rowsB] = [positionsByTask(before, inference), positionsByTask(after, inference)];
  const dropped = { before: new Set<number>(), after: new Set<number>() };
  let tasksTrimmed = 0;
  for (const [task, one] of rowsA) {
    const other = rowsB.get(task);
    if (other === undefined || other.length === one.length) continue;
    tasksTrimmed++;
    const side: Arm = one.length > other.length ? "before" : "after";
    const full = side === "before" ? one : other;
    const kept = new Set(balanceKeep(full.length, Math.min(one.length, other.length), { seed, side, task }));
    for (const [i, position] of full.entries()) if (!kept.has(i)) dropped[side].add(position);
  }
  return {
    before: before.filter((_, i) => !dropped.before.has(i)),
    after: after.filter((_, i) => !dropped.after.has(i)),
    rowsDropped: { before: dropped.before.size, after: dropped.after.size },
    tasksTrimmed,
  };
}

/** Positions and not rows: one object may stand in a list twice. */
function positionsByTask(rows: readonly Row[], inference: Inference): Map<string, number[]> {
  const tasks = new Map<string, number[]>();
  for (const [i, row] of rows.entries()) {
    if (!isObject(row)) continue;
    const task = taskKey(row);
    if (inference === "strict" && (task === "" || gradedReward(row) === null)) continue;
    const list = tasks.get(task);
    if (list === undefined) tasks.set(task, [i]);
    else list.push(i);
  }
  return tasks;
}
