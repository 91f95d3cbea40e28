import { isObject, type Row, taskKey } from "@while/schema";
import type { Inference } from "../inference.ts";
import { sum } from "../kernel/sum.ts";
import { type Metric, metricReader } from "../rows/metric.ts";

/**
 * Variance that a run's mean over tasks has because each task is rolled out a few times: the mean of s²/k over tasks,
 * divided by their number. What runs differ by beyond it is the run's own: a judge's mood, a server, a seed.
 *
 * @param rows Of all runs of one agent
 * @param nRuns Runs among them
 * @returns null where no task has two rollouts, so that no spread is known
 */
export function rolloutNoise(
  rows: readonly Row[],
  { metric, nRuns, inference }: { metric: Metric; nRuns: number; inference: Inference },
): number | null {
  const { value } = metricReader(metric, inference);
  const tasks = new Map<string, number[]>();
  for (const row of rows) {
    const task = isObject(row) ? taskKey(row) : "";
    const measured = task === "" ? null : value(row);
    if (measured === null) continue;
    const own = tasks.get(task);
    if (own === undefined) tasks.set(task, [measured]);
    else own.push(measured);
  }
  // A task of one rollout shows no spread; it is taken to have that of the others.
  const variances = [...tasks.values()].filter(({ length }) => length > 1).map(varianceOf);
  if (variances.length === 0) return null;
  const perRollout = sorted(variances) / variances.length;
  const shares = Array.from(tasks.values(), ({ length }) => 1 / Math.max(1, length / nRuns));
  return (perRollout * sorted(shares)) / tasks.size ** 2;
}

function varianceOf(values: readonly number[]): number {
  const centre = sorted(values) / values.length;
  return sorted(values.map((value) => (value - centre) ** 2)) / (values.length - 1);
}

/** Added up from the smallest, so that the order of rows does not matter. */
const sorted = (values: readonly number[]): number => sum([...values].sort((a, b) => a - b));
