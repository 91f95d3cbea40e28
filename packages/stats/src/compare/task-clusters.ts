import { compareCodePoints, isObject, type Row, taskKey } from "@while/schema";
import { type GroupBy, groupOf } from "../rows/group-by.ts";

/** Which cluster each task belongs to. */
export interface TaskClusters {
  /** The name of the key, or of the function. */
  name: string;
  /** A task without a cluster is one of its own. */
  of: (task: string) => string;
  /** Tasks whose rows name several clusters; the first name in code-point order counts. */
  nMixed: number;
}

/**
 * Reads the cluster of each task off its rows: tasks that share a persona, a document, a template or a seed ask are not
 * independent draws, and what varies are those.
 */
export function taskClusters(sides: readonly (readonly Row[])[], cluster: GroupBy): TaskClusters {
  const named = new Map<string, string>();
  const mixed = new Set<string>();
  for (const rows of sides) {
    for (const row of rows) {
      if (!isObject(row)) continue;
      const [task, name] = [taskKey(row), groupOf(row, cluster)];
      if (task === "" || name === "") continue;
      const known = named.get(task);
      if (known !== undefined && known !== name) mixed.add(task);
      if (known === undefined || compareCodePoints(name, known) < 0) named.set(task, name);
    }
  }
  return {
    name: typeof cluster === "string" ? cluster : cluster.name || "cluster",
    // Apart from every named cluster, whatever the task is called.
    of: (task) => (named.has(task) ? `c${named.get(task)}` : `t${task}`),
    nMixed: mixed.size,
  };
}
