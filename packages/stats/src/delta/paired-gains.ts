import { clusterValues } from "../compare/cluster-values.ts";
import { pairedTInterval } from "../compare/paired-t-interval.ts";
import type { RunPair } from "../compare/run-pair.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import type { GroupBy } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";

/**
 * Change of each shared task, in the order of their names; positive is better. With `cluster` one value a cluster, whose
 * spread is that of the mean between clusters.
 */
export function pairedGains(
  pair: RunPair,
  metric: Metric,
  { lowerIsBetter, cluster }: { lowerIsBetter: boolean; cluster?: GroupBy | undefined },
): number[] {
  const [{ means: a }, { means: b }] = pair.means(metric);
  const shared = pair.shared(metric);
  const gains = shared.map((task) => (lowerIsBetter ? a.get(task)! - b.get(task)! : b.get(task)! - a.get(task)!));
  return cluster === undefined ? gains : clusterValues(gains, shared.map(pair.clustersBy(cluster).of));
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
