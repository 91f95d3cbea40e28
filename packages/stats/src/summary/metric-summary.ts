import { checkOptions, formatFixed, isObject, type Row, roundHalfEven } from "@while/schema";
import { MIN_CI_TASKS } from "../constants.ts";
import { countOf } from "../count-of.ts";
import { checkInference, type Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { noIntervalNote } from "../interval/no-interval-note.ts";
import { meanOf, sampleOf } from "../interval/sample.ts";
import { type CiMethod, type TaskInterval, taskIntervals } from "../interval/task-interval.ts";
import { checkDraws } from "../kernel/percentile-indices.ts";
import { checkSeed } from "../rng/mersenne-twister.ts";
import { type Metric, metricReader } from "../rows/metric.ts";
import { MetricTally } from "../rows/metric-tally.ts";
import { TaskIndex } from "../rows/task-index.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";

export interface SummaryOptions {
  inference?: Inference;
  /** Draws of compat. */
  nBoot?: number | undefined;
  /** Seed of compat; strict draws nothing. */
  seed?: number | undefined;
}

export type SummaryWarningCode = "degenerate" | "non_finite" | "no_task_key" | "outside_0_1";

export interface MetricSummary {
  metric: Metric;
  inference: Inference;
  /** Tasks with a readable value. */
  nTasks: number;
  /** Rows with a readable value. */
  nRows: number;
  /** Rows given. */
  nRowsTotal: number;
  nRowsAt1: number;
  nRowsAt0: number;
  /** Rows whose value is NaN, infinite or beyond 1e70: left out. */
  nNonFinite: number;
  /** Rows with neither id nor prompt. */
  nWithoutKey: number;
  /** Lowest and highest value of a row; null without any. */
  range: Interval | null;
  /** Mean over the task means; null without tasks. */
  mean: number | null;
  ci95: Interval | null;
  ciMethod: CiMethod | null;
  /** Every row has the same value: nothing shows that the metric can take another one. */
  degenerate: boolean;
  /** Why there is no interval; "" when there is one, or when `degenerate` says it. */
  note: string;
  warnings: Warning<SummaryWarningCode>[];
}

const OPTIONS = ["inference", "nBoot", "seed"];

/**
 * Mean over tasks of a metric with its interval. A marker that is the same on every row gets no interval: a misspelt
 * key looks just like it, and a guard on it can never fail. A constant pass rate gets the score interval (strict).
 *
 * @throws StatsError `bad_metric`, `bad_option`, `bad_count`, `bad_seed`
 */
export function metricSummary(
  rows: readonly Row[],
  metric: Metric = "pass_at_1",
  options: SummaryOptions = {},
): MetricSummary {
  const { inference } = checkSummaryOptions(options);
  const tasks = new TaskIndex(inference);
  const tally = new MetricTally(metricReader(metric, inference));
  for (const row of rows) if (isObject(row)) tally.add(row, tasks.add(row));
  return summaryOf(metric, tally, tasks, options);
}

/**
 * @param more Options of the caller beside these
 * @throws StatsError `bad_option`, `bad_count`, `bad_seed`
 */
export function checkSummaryOptions(options: SummaryOptions, more: readonly string[] = []): { inference: Inference } {
  checkOptions(options, [...more, ...OPTIONS], (what, fix) => new StatsError("bad_option", what, fix));
  const { inference = "strict", nBoot, seed } = options;
  checkInference(inference);
  if (nBoot !== undefined) checkDraws(nBoot);
  if (seed !== undefined) checkSeed(seed);
  return { inference };
}

/** The report on what a tally holds. */
export function summaryOf(
  metric: Metric,
  tally: MetricTally,
  tasks: TaskIndex,
  { inference = "strict", nBoot, seed }: SummaryOptions,
): MetricSummary {
  const sample = sampleOf(tally.taskMeans().map(([, mean]) => mean));
  const nTasks = sample.order.length;
  const degenerate = isConstant(tally.range);
  const withoutInterval = degenerate && (inference === "compat" || metric !== "pass_at_1");
  const { ci95, method }: TaskInterval = withoutInterval
    ? { ci95: null, method: null }
    : taskIntervals([sample], { inference, nBoot, seed })[0]!;
  return {
    metric,
    inference,
    nTasks,
    nRows: tally.nRows,
    nRowsTotal: tasks.nRows,
    nRowsAt1: tally.nRowsAt1,
    nRowsAt0: tally.nRowsAt0,
    nNonFinite: tally.nNonFinite,
    nWithoutKey: tasks.nWithoutKey,
    range: tally.range,
    mean: meanOf(sample),
    ci95,
    ciMethod: method,
    degenerate,
    note: ci95 === null && !degenerate ? noteOf(metric, nTasks) : "",
    warnings: warningsOf(metric, degenerate, tally, tasks),
  };
}

/** One distinct value after rounding to nine decimals. */
function isConstant(range: Interval | null): boolean {
  return range !== null && roundHalfEven(range[0], 9) === roundHalfEven(range[1], 9);
}

function noteOf(metric: Metric, nTasks: number): string {
  if (nTasks >= MIN_CI_TASKS) {
    return `no interval for ${metric}: the task means are all the same and outside [0, 1], where no bound on them is known`;
  }
  if (metric === "pass_at_1") return noIntervalNote(nTasks, "pass_at_1");
  return (
    `no interval for ${metric}: carried by ${countOf(nTasks, "task")} and the interval is over tasks, at least ${MIN_CI_TASKS} ` +
    "(add situations, not rollouts)"
  );
}

function warningsOf(
  metric: Metric,
  degenerate: boolean,
  { nRows, nNonFinite, range }: MetricTally,
  { nWithoutKey, pools }: TaskIndex,
): Warning<SummaryWarningCode>[] {
  const warnings: Warning<SummaryWarningCode>[] = [];
  if (degenerate) {
    warnings.push({
      code: "degenerate",
      text:
        `${metric} is ${formatFixed(range![0], 2)} on every row that carries it (${nRows}): nothing shows that it can take ` +
        "another value, a misspelt key would look the same; do not guard with it (must_not_regress)",
    });
  }
  if (nNonFinite > 0) {
    warnings.push({
      code: "non_finite",
      text: `${metric} is NaN, infinite or beyond 1e70 on ${countOf(nNonFinite, "row")}, left out`,
    });
  }
  if (metric !== "pass_at_1" && range !== null && (range[0] < 0 || range[1] > 1)) {
    const [low, high] = range;
    warnings.push({
      code: "outside_0_1",
      text: `${metric} runs from ${formatFixed(low, 2)} to ${formatFixed(high, 2)}: not a share, read it in its own unit`,
    });
  }
  if (nWithoutKey > 0) {
    const how = pools ? "pooled as one task" : "a task of its own each";
    warnings.push({
      code: "no_task_key",
      text: `${countOf(nWithoutKey, "row")} without scenario_id, task_id or prompt, counted as ${how}; set task_id`,
    });
  }
  return warnings;
}
