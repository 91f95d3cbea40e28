import { compareCodePoints } from "@while/schema";
import { clusterSums } from "../compare/cluster-values.ts";
import type { RunPair } from "../compare/run-pair.ts";
import { maxTSignFlip } from "../multiplicity/max-t-sign-flip.ts";
import type { Metric } from "../rows/metric.ts";
import type { DeltaSettings } from "./delta-options.ts";
import type { MetricDelta } from "./metric-deltas.ts";

/**
 * p-values of metrics that were looked at together, adjusted by flipping whole tasks (or clusters) for all of them at once:
 * what correlated metrics share is not paid for twice, as Holm does. Step-down max-T, Westfall and Young 1993; mid-p, as
 * the p-value of one metric. A task without a value of some metric says nothing of that one.
 *
 * @param metrics Those of one family that were compared pair by pair
 */
export function maxTOf(
  pair: RunPair,
  metrics: readonly (readonly [Metric, MetricDelta])[],
  { cluster, nBoot, seed }: Pick<DeltaSettings, "cluster" | "nBoot" | "seed">,
): Map<Metric, number> {
  if (metrics.length === 0) return new Map();
  const of = cluster === undefined ? null : pair.clustersBy(cluster).of;
  const changes = metrics.map(([metric]) => {
    const [{ means: a }, { means: b }] = pair.means(metric);
    return new Map(pair.shared(metric).map((task) => [task, b.get(task)! - a.get(task)!]));
  });
  const everywhere = [...new Set(changes.flatMap((own) => [...own.keys()]))].sort(compareCodePoints);
  // A task on which nothing moved turns nothing, and only makes more arrangements.
  const tasks = everywhere.filter((task) => changes.some((own) => (own.get(task) ?? 0) !== 0));
  const clusters = of === null ? null : tasks.map(of);
  const diffs = changes.map((own) => {
    const values = tasks.map((task) => own.get(task) ?? 0);
    return clusters === null ? values : clusterSums(values, clusters);
  });
  const { midPs } = maxTSignFlip(diffs, { nBoot, seed, steps: "down" });
  return new Map(
    // Draws end at one in a few thousand; no family has a smaller p than its member.
    metrics.map(([metric, { midP }], i) => [metric, Math.max(midPs[i]!, midP ?? 0)] as const),
  );
}
