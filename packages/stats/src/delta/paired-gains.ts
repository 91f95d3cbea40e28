import { compareCodePoints, type Row } from "@while/schema";
import { clusterValues } from "../compare/cluster-values.ts";
import { pairedTInterval } from "../compare/paired-t-interval.ts";
import { runMeans } from "../compare/run-means.ts";
import { taskClusters } from "../compare/task-clusters.ts";
import type { Inference } from "../inference.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import type { GroupBy } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";

/**
 * Change of each shared task, in the order of their names; positive is better. With `cluster` one value a cluster, whose
 * spread is that of the mean between clusters.
 */
export function pairedGains(
  before: readonly Row[],
  after: readonly Row[],
  metric: Metric,
  {
    inference,
    lowerIsBetter,
    cluster,
  }: { inference: Inference; lowerIsBetter: boolean; cluster?: GroupBy | undefined },
): number[] {
  const [a, b] = [before, after].map((rows) => runMeans(rows, metric, inference).means) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const shared = [...a.keys()].filter((task) => b.has(task)).sort(compareCodePoints);
  const gains = shared.map((task) => (lowerIsBetter ? a.get(task)! - b.get(task)! : b.get(task)! - a.get(task)!));
  return cluster === undefined ? gains : clusterValues(gains, shared.map(taskClusters([before, after], cluster).of));
}

/**
 * The smallest change these tasks would show: (t + z_power) · se of the differences seen. Null where they are all the
 * same, or fewer than two: then no spread is known.
 */
export function visibleChange(
  gains: readonly number[],
  { level, power }: { level: number; power: number },
): number | null {
  const test = pairedTInterval(gains, { level });
  if (test === null || test.se === 0) return null;
  return (tQuantile(test.df, level) + normalQuantile(power)) * test.se;
}
