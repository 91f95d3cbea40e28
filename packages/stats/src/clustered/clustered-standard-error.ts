import { CI_LEVEL } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { rangeOf, sampleOf } from "../interval/sample.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/** Clusters under which the spread between them is itself hardly known. */
const FEW_CLUSTERS = 10;
/** Sums of residuals this small beside the values are their rounding: clusters with one mean, whatever is inside. */
const ROUNDING = 1e-12;

export interface ClusteredStandardError {
  mean: number;
  nClusters: number;
  /** As if every value were an independent draw; null with one value. */
  seNaive: number | null;
  /** Clusters as the draws: sums of residuals a cluster, squared (Liang and Zeger 1986; Miller 2024). */
  se: number;
  /** `se` · sqrt(G / (G - 1)), which takes most of the bias off few clusters; null with one cluster. */
  seCr1: number | null;
  /** mean ± t(G - 1) · `seCr1`; null with one cluster, and when `seCr1` is 0. */
  ci95: Interval | null;
  /** `one_cluster` and `no_spread` have no interval; under ten clusters (`few_clusters`) it is still too narrow. */
  note: "one_cluster" | "no_spread" | "few_clusters" | null;
}

/**
 * Standard error of a mean over values that come in clusters: tasks that share a persona, a document or a template are
 * not independent draws, and a naive standard error counts each of them as one. As any t interval it may leave the range
 * that the values can have.
 *
 * @param values One a task
 * @param clusters The cluster of each value
 * @returns null without values
 * @throws StatsError `bad_value`
 */
export function clusteredStandardError(
  values: readonly number[],
  clusters: readonly string[],
): ClusteredStandardError | null {
  if (values.length !== clusters.length) {
    throw new StatsError(
      "bad_value",
      `clusteredStandardError got ${values.length} values and ${clusters.length} clusters.`,
      "Pass the cluster of each value.",
    );
  }
  const sample = sampleOf(values);
  const centre = mean(values);
  if (centre === null) return null;
  const n = values.length;
  const residuals = new Map<string, number[]>();
  for (const [i, cluster] of clusters.entries()) {
    const own = residuals.get(cluster) ?? [];
    own.push(values[i]! - centre);
    residuals.set(cluster, own);
  }
  const nClusters = residuals.size;
  const largest = Math.max(...rangeOf(sample).map(Math.abs));
  const clusterSums = Array.from(residuals.values(), (own) => {
    const total = sum(own);
    return Math.abs(total) <= ROUNDING * own.length * largest ? 0 : total;
  });
  const se = Math.sqrt(sum(clusterSums.map((total) => total ** 2))) / n;
  const squares = sum(Array.from(residuals.values(), (own) => sum(own.map((residual) => residual ** 2))));
  const seNaive = n === 1 ? null : Math.sqrt(squares / (n * (n - 1)));
  const report = { mean: centre, nClusters, seNaive, se };
  if (nClusters === 1) return { ...report, seCr1: null, ci95: null, note: "one_cluster" };
  const seCr1 = se * Math.sqrt(nClusters / (nClusters - 1));
  if (seCr1 === 0) return { ...report, seCr1, ci95: null, note: "no_spread" };
  const half = tQuantile(nClusters - 1, CI_LEVEL) * seCr1;
  const note = nClusters < FEW_CLUSTERS ? "few_clusters" : null;
  return { ...report, seCr1, ci95: [centre - half, centre + half], note };
}
