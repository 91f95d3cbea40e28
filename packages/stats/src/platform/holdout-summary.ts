import { checkOptions, type Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { passAt } from "../pass-at/pass-at.ts";
import { taskRates } from "../sizing/task-rates.ts";
import { StatsError } from "../stats-error.ts";

export interface HoldoutSummaryOptions {
  /** The word for the change, of whatever compared the two: null when nothing did. */
  verdict?: string | null;
  /** Re-runs behind the spread, and the spread itself, as `evalVariance` gives them. */
  evalRuns?: number | null;
  runStd?: number | null;
  /** The set has no room left to show a gain. */
  ceiling?: boolean;
  inference?: Inference;
}

/** One side of a training run on its held-out set. */
export interface HoldoutSide {
  /** pass@1; null when nothing is graded. */
  pass: number | null;
  nTasks: number | null;
  /** Most graded rollouts of any task. */
  k: number | null;
  ci95: Interval | null;
}

export interface HoldoutSummary {
  before: HoldoutSide;
  after: HoldoutSide;
  verdict: string | null;
  evalRuns: number | null;
  runStd: number | null;
  ceiling: boolean | null;
  /** Why most of it is missing; null when it is not. */
  note: string | null;
}

const OPTIONS = ["verdict", "evalRuns", "runStd", "ceiling", "inference"];

/**
 * What a training run shows of its held-out set: each side's rate with what it rests on, and the verdict of the
 * comparison that was made. Two bare rates give the same shape with a note in the place of what they do not say.
 *
 * @throws StatsError `bad_value` for a rate outside [0, 1] or a rate on one side alone, `bad_option`
 */
export function holdoutSummary(
  before: readonly Row[] | number,
  after: readonly Row[] | number,
  options: HoldoutSummaryOptions = {},
): HoldoutSummary {
  checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
  const { verdict = null, evalRuns = null, runStd = null, ceiling = null, inference = "strict" } = options;
  const compared = { verdict, evalRuns, runStd, ceiling };
  if (typeof before !== "number" && typeof after !== "number") {
    return { before: sideOf(before, inference), after: sideOf(after, inference), ...compared, note: null };
  }
  return {
    before: bareSide(before),
    after: bareSide(after),
    ...compared,
    note: "only two rates were returned: no tasks, no intervals, no verdict of its own",
  };
}

function sideOf(rows: readonly Row[], inference: Inference): HoldoutSide {
  const { passAt1, ci95, nGroups } = passAt(rows, { inference });
  const counts = Array.from(taskRates(rows, inference).values(), ({ n }) => n);
  return { pass: passAt1, nTasks: nGroups, k: counts.length === 0 ? null : Math.max(...counts), ci95 };
}

function bareSide(rate: readonly Row[] | number): HoldoutSide {
  if (typeof rate === "number" && rate >= 0 && rate <= 1) return { pass: rate, nTasks: null, k: null, ci95: null };
  const seen = typeof rate === "number" ? `A rate is ${rate}.` : "One side is a rate and the other is rows.";
  throw new StatsError("bad_value", seen, "Pass two rates from 0 to 1, or the rows of both sides.");
}
