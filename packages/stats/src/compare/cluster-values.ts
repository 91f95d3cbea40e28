import { mean, sum } from "../kernel/sum.ts";

/**
 * One value a cluster, whose mean is the mean over all tasks and whose spread is the spread of that mean between
 * clusters: what then treats clusters as its draws has the standard error of Liang and Zeger (1986) with the CR1
 * correction (Miller 2024, section 2.2). Where clusters are of one size it is the mean of each; else each cluster's sum
 * of residuals, scaled.
 *
 * @param values One a task
 * @param clusters The cluster of each
 */
export function clusterValues(values: readonly number[], clusters: readonly string[]): number[] {
  const members = membersOf(values, clusters);
  const sizes = new Set(members.map(({ length }) => length));
  if (sizes.size <= 1) return members.map((own) => sum(own) / own.length);
  const centre = mean(values)!;
  const scale = members.length / values.length;
  return members.map((own) => centre + scale * sum(own.map((value) => value - centre)));
}

/** Sums of the clusters: under the null each could as well carry the other sign. Tasks on their own stay as they are. */
export function clusterSums(values: readonly number[], clusters: readonly string[]): number[] {
  return membersOf(values, clusters).map((own) => (own.length === 1 ? own[0]! : sum(own)));
}

/** In the order of their first task. */
function membersOf(values: readonly number[], clusters: readonly string[]): number[][] {
  const members = new Map<string, number[]>();
  for (const [i, cluster] of clusters.entries()) {
    const own = members.get(cluster);
    if (own === undefined) members.set(cluster, [values[i]!]);
    else own.push(values[i]!);
  }
  return [...members.values()];
}
