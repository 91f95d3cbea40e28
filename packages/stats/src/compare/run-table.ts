import { isObject, type Row } from "@while/schema";
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
  /** Rows whose value is NaN, infinite or beyond 1e70: left out. */
  nNonFinite: number;
  /** Rows that repeat the `rollout_id` of another row of their task. */
  nRepeated: number;
}

/** Rows of a task graded 0 or 1, and those of them that passed. */
export interface PassCount {
  n: number;
  passes: number;
}

/** The rows of one run, their tasks numbered once for as many metrics as are asked of them. */
export class RunTable {
  readonly rows: readonly Row[];
  private readonly inference: Inference;
  private readonly tasks: TaskIndex;
  private readonly nRepeated: number;
  /** Task number of each row; `NO_TASK` where it is left out. */
  private readonly taskOf: Int32Array;
  /** The metric asked for last. */
  private last: { metric: Metric; means: RunMeans } | null = null;

  constructor(rows: readonly Row[], inference: Inference) {
    this.rows = rows;
    this.inference = inference;
    this.tasks = new TaskIndex(inference);
    this.taskOf = new Int32Array(rows.length).fill(NO_TASK);
    const seen = new SeenRollouts();
    for (const [i, row] of rows.entries()) {
      if (!isObject(row)) continue;
      const { nWithoutKey } = this.tasks;
      const task = this.tasks.add(row);
      if (!this.tasks.pools && this.tasks.nWithoutKey > nWithoutKey) continue;
      this.taskOf[i] = task;
      if (typeof row.rollout_id === "string" && row.rollout_id !== "") seen.add(task, row.rollout_id);
    }
    this.nRepeated = seen.nRepeated;
  }

  /** Names of all tasks, measured or not. */
  names(): string[] {
    return Array.from({ length: this.tasks.size }, (_, task) => this.tasks.nameOf(task));
  }

  means(metric: Metric): RunMeans {
    if (this.last?.metric !== metric) this.last = { metric, means: this.read(metric) };
    return this.last.means;
  }

  /** Of every task that has rows graded 0 or 1. */
  passCounts(): Map<string, PassCount> {
    const reader = metricReader("pass_at_1", this.inference);
    const counts = new Map<string, PassCount>();
    for (const [i, row] of this.rows.entries()) {
      const value = this.taskOf[i] === NO_TASK ? null : reader.value(row);
      if (value === null) continue;
      const name = this.tasks.nameOf(this.taskOf[i]!);
      const own = counts.get(name);
      if (own === undefined) counts.set(name, { n: 1, passes: value });
      else {
        own.n++;
        own.passes += value;
      }
    }
    return counts;
  }

  private read(metric: Metric): RunMeans {
    const { tasks, taskOf } = this;
    const tally = new MetricTally(metricReader(metric, this.inference));
    for (const [i, row] of this.rows.entries()) if (taskOf[i] !== NO_TASK) tally.add(row, taskOf[i]!);
    return {
      means: new Map(tally.taskMeans().map(([task, mean]) => [tasks.nameOf(task), mean])),
      nRows: tally.nRows,
      nRowsTotal: tasks.nRows,
      nUnmeasured: tasks.nRows - (tasks.pools ? 0 : tasks.nWithoutKey) - tally.nRows - tally.nNonFinite,
      nWithoutKey: tasks.nWithoutKey,
      nNonFinite: tally.nNonFinite,
      nRepeated: this.nRepeated,
    };
  }
}

const NO_TASK = -1;

export function runMeans(rows: readonly Row[], metric: Metric, inference: Inference): RunMeans {
  return new RunTable(rows, inference).means(metric);
}
