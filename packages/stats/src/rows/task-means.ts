import { isObject, type Row } from "@while/schema";
import { checkInference, type Inference } from "../inference.ts";
import { type Metric, metricReader } from "./metric.ts";
import { MetricTally } from "./metric-tally.ts";
import { TaskIndex } from "./task-index.ts";

export interface TaskMeansOptions {
  inference?: Inference;
}

/**
 * Mean of a metric per task, over the rows that carry it; tasks without any are absent. Tasks stand in the order of
 * their first such row, which is the order a seeded resample walks.
 *
 * @throws StatsError `bad_metric`, `bad_option`
 */
export function taskMeans(
  rows: readonly Row[],
  metric: Metric,
  { inference = "strict" }: TaskMeansOptions = {},
): Map<string, number> {
  checkInference(inference);
  const tasks = new TaskIndex(inference);
  const tally = new MetricTally(metricReader(metric, inference));
  for (const row of rows) if (isObject(row)) tally.add(row, tasks.add(row));
  return new Map(tally.taskMeans().map(([task, mean]) => [tasks.nameOf(task), mean]));
}
