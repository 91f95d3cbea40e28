import { checkOptions, compareCodePoints, type Row } from "@while/schema";
import type { CompareVerdict } from "../compare/compare-verdict.ts";
import { RunPair } from "../compare/run-pair.ts";
import { ALPHA } from "../constants.ts";
import { countOf } from "../count-of.ts";
import type { Interval } from "../interval/interval.ts";
import { mean } from "../kernel/sum.ts";
import type { Metric } from "../rows/metric.ts";
import { StatsError } from "../stats-error.ts";
import { bettingConfidenceSequence } from "./betting-confidence-sequence.ts";

export interface SequentialOptions {
  metric?: Metric | undefined;
  /** Chance that the verdict is ever wrong, however often one looks. */
  alpha?: number;
}

export interface SequentialComparison {
  metric: Metric;
  alpha: number;
  /** `no_difference_detected` is: go on, or stop without an answer. */
  verdict: Exclude<CompareVerdict, "insufficient_data">;
  /** Shared tasks, in the order in which the second run came to them. */
  nTasks: number;
  /** Tasks of one run alone: planned and not yet run, or lost. */
  nOnlyA: number;
  nOnlyB: number;
  /** b minus a over the shared tasks; null without any. */
  delta: number | null;
  /** Interval of the true difference that no look so far has ruled out. */
  ci: Interval;
  /** Evidence against no difference; reject at 1 / alpha. */
  eValue: number;
  pAnytime: number;
  /** Tasks after which the verdict stood; null without one. */
  decidedAt: number | null;
}

/** Fewer tasks than this are in order by chance too often to say so. */
const MIN_ORDERED = 8;

/**
 * Is run b better than run a, asked as often as one likes while b is still running? An interval that may be looked at after
 * every task: the verdict is ever wrong with chance alpha at most, where a test for a fixed number of tasks, looked at after
 * every ten, fires on a quarter of identical pairs. It asks more tasks of a decision than one look at a planned number does.
 * `bettingConfidenceSequence` over the differences of task means.
 *
 * Tasks have to be run in random order, and the rows given in that order: tasks in the order of their names are refused.
 *
 * @param a Rows of the run compared with, complete
 * @param b Rows of the run so far
 * @throws StatsError `not_shuffled`, `bad_value` for a metric outside 0 to 1, `bad_metric`, `bad_level`, `bad_option`
 */
export function compareSequentially(
  a: readonly Row[],
  b: readonly Row[],
  options: SequentialOptions = {},
): SequentialComparison {
  checkOptions(options, ["metric", "alpha"], (what, fix) => new StatsError("bad_option", what, fix));
  const { metric = "pass_at_1", alpha = ALPHA } = options;
  const pair = new RunPair(a, b, "strict");
  const [{ means: before }, { means: after }] = pair.means(metric);
  // A map keeps the order of the first row of each task.
  const tasks = [...after.keys()].filter((task) => before.has(task));
  refuseOrdered(tasks);
  const diffs = tasks.map((task) => after.get(task)! - before.get(task)!);
  const stray = [before, after].flatMap((means) => [...means.values()]).find((value) => !(value >= 0 && value <= 1));
  if (stray !== undefined) {
    throw new StatsError(
      "bad_value",
      `${metric} is ${stray} on a task, outside 0 to 1.`,
      "Compare a share as it comes in; other metrics have no bound to bet within: use compareRuns once, at the end.",
    );
  }
  const bets = bettingConfidenceSequence(diffs, { alpha, low: -1, high: 1, nullMean: 0 });
  const { ci, eValue, pAnytime, rejectedAt } = bets;
  const verdict = ci[0] > 0 ? "b_better" : ci[1] < 0 ? "a_better" : "no_difference_detected";
  return {
    ...{ metric, alpha, verdict, nTasks: tasks.length },
    ...{ nOnlyA: before.size - tasks.length, nOnlyB: after.size - tasks.length },
    ...{
      delta: mean(diffs),
      ci,
      eValue,
      pAnytime,
      decidedAt: verdict === "no_difference_detected" ? null : rejectedAt,
    },
  };
}

/** By name, or by the number a name ends in, up or down: an order that somebody made. */
function refuseOrdered(tasks: readonly string[]): void {
  if (tasks.length < MIN_ORDERED) return;
  const steps = tasks.slice(1).map((task, i) => [compareCodePoints(tasks[i]!, task), compareNumbers(tasks[i]!, task)]);
  const ordered = [0, 1].some((way) => [-1, 1].some((sign) => steps.every((step) => Math.sign(step[way]!) === sign)));
  if (!ordered) return;
  throw new StatsError(
    "not_shuffled",
    `${countOf(tasks.length, "task")} are in the order of their names, from ${tasks[0]} to ${tasks.at(-1)}.`,
    "Run tasks in random order and give the rows as they came: the first ones have to stand for all, or the easy ones decide.",
  );
}

/** Names alike but for a number at the end; 0 where they are not. */
function compareNumbers(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => /^(.*?)(\d{1,15})$/s.exec(name));
  return one === null || other === null || one![1] !== other![1] ? 0 : Number(one![2]) - Number(other![2]);
}
