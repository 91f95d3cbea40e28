import { isObject, type Row, taskKey } from "@while/schema";
import type { Inference } from "../inference.ts";
import { metricReader } from "../rows/metric.ts";
import { TaskIndex } from "../rows/task-index.ts";

/** Binary rollouts of one task. */
export interface TaskRate {
  n: number;
  passed: number;
}

/** Tasks with a rollout graded 0 or 1, in the order of their first. */
export function taskRates(rows: readonly Row[], inference: Inference): Map<string, TaskRate> {
  const { value } = metricReader("pass_at_1", inference);
  const tasks = new TaskIndex(inference);
  const rates = new Map<string, TaskRate>();
  for (const row of rows) {
    if (!isObject(row)) continue;
    const name = tasks.nameOf(tasks.add(row));
    const outcome = value(row);
    if (outcome === null) continue;
    const rate = rates.get(name) ?? { n: 0, passed: 0 };
    rates.set(name, rate);
    rate.n++;
    rate.passed += outcome;
  }
  return rates;
}

/** Without the rows that strict names by their place: they are the same task in no other run. */
export function keyedRows(rows: readonly Row[], inference: Inference): readonly Row[] {
  return inference === "compat" ? rows : rows.filter((row) => isObject(row) && taskKey(row) !== "");
}

export const rateOf = ({ n, passed }: TaskRate): number => passed / n;

/**
 * Rollouts a task, as the model of a task's spread takes them: the harmonic mean, because 1/k is what enters it. Compat
 * takes the smallest, which lets one short task distort the answer.
 */
export function rolloutsPerTask(counts: readonly number[], inference: Inference): number {
  if (inference === "compat") return Math.min(...counts);
  return counts.length / counts.reduce((total, n) => total + 1 / n, 0);
}
