import { compareCodePoints, type Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import { type GroupBy, groupOf } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";
import { type RunMeans, RunTable } from "./run-table.ts";
import { type TaskClusters, taskClusters } from "./task-clusters.ts";

/**
 * Two runs, and what every comparison of them asks of all rows: found once, whatever the number of metrics.
 */
export class RunPair {
  readonly a: RunTable;
  readonly b: RunTable;
  private inBoth: readonly string[] | null = null;
  private same: boolean | null = null;
  private readonly clusters = new Map<GroupBy, TaskClusters>();
  private readonly carried = new Map<string, boolean>();

  constructor(a: readonly Row[], b: readonly Row[], inference: Inference) {
    this.a = new RunTable(a, inference);
    this.b = new RunTable(b, inference);
  }

  means(metric: Metric): [a: RunMeans, b: RunMeans] {
    return [this.a.means(metric), this.b.means(metric)];
  }

  /** Tasks that have a value on both sides, in code-point order. */
  shared(metric: Metric): string[] {
    const [a, b] = this.means(metric);
    if (this.inBoth === null) {
      const others = new Set(this.b.names());
      const own = this.a.names().filter((task) => others.has(task));
      this.inBoth = own.sort(compareCodePoints);
    }
    return this.inBoth.filter((task) => a.means.has(task) && b.means.has(task));
  }

  clustersBy(key: GroupBy): TaskClusters {
    const known = this.clusters.get(key) ?? taskClusters([this.a.rows, this.b.rows], key);
    this.clusters.set(key, known);
    return known;
  }

  /** Some row of the first run has a value under this key. */
  hasKey(key: string): boolean {
    const known = this.carried.get(key) ?? this.a.rows.some((row) => groupOf(row, key) !== "");
    this.carried.set(key, known);
    return known;
  }

  /** A run compared with itself. A file read twice gives equal rows, not the same objects. */
  isSame(): boolean {
    const [a, b] = [this.a.rows, this.b.rows];
    this.same ??= a.length === b.length && a.length > 0 && a.every((row, i) => isSameRow(row, b[i]!));
    return this.same;
  }
}

function isSameRow(a: Row, b: Row): boolean {
  return a === b || (typeof a.rollout_id === typeof b.rollout_id && JSON.stringify(a) === JSON.stringify(b));
}
