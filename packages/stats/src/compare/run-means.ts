import { isObject, type Row, taskKey } from "@while/schema";
import type { Inference } from "../inference.ts";
import { type Metric, metricReader } from "../rows/metric.ts";
import { MetricTally } from "../rows/metric-tally.ts";
import { SeenRollouts } from "../rows/seen-rollouts.ts";
import { TaskIndex } from "../rows/task-index.ts";

/** One run as a comparison reads it. */
export interface RunMeans {
  /** Mean of the metric per task, over the rows that carry it. */
  means: Map<string, number>;
  /** Rows with a readable value, and rows given. */
  nRows: number;
  nRowsTotal: number;
  /** Rows of a task without a value: ungraded, or partial credit. */
  nUnmeasured: number;
  /** Rows with neither id nor prompt: they match nothing in another run. Strict leaves them out, compat pools them. */
  nWithoutKey: number;
  /** Rows whose value is NaN or infinite: left out. */
  nNonFinite: number;
  /** Rows that repeat the `rollout_id` of another row of their task. */
  nRepeated: number;
}

export function runMeans(rows: readonly Row[], metric: Metric, inference: Inference): RunMeans {
  const tasks = new TaskIndex(inference);
  const tally = new MetricTally(metricReader(metric, inference));
  const seen = new SeenRollouts();
  for (const row of rows) {
    if (!isObject(row)) continue;
    const task = tasks.add(row);
    if (!tasks.pools && taskKey(row) === "") continue;
    tally.add(row, task);
    if (typeof row.rollout_id === "string" && row.rollout_id !== "") seen.add(task, row.rollout_id);
  }
  return {
    means: new Map(tally.taskMeans().map(([task, mean]) => [tasks.nameOf(task), mean])),
    nRows: tally.nRows,
    nRowsTotal: tasks.nRows,
    nUnmeasured: tasks.nRows - (tasks.pools ? 0 : tasks.nWithoutKey) - tally.nRows - tally.nNonFinite,
    nWithoutKey: tasks.nWithoutKey,
    nNonFinite: tally.nNonFinite,
    nRepeated: seen.nRepeated,
  };
}
