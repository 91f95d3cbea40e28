import { CI_LEVEL, MIN_CI_TASKS, Z_95 } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { scoreInterval } from "../interval/wilson-interval.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";

/** A task as the judge saw it, and as far as its rows have labels. */
export interface JudgedTask {
  /** Share of its graded rows that the judge passes. */
  judge: number;
  /** Means over its labeled rows; null without any. */
  labeled: { gold: number; judge: number } | null;
}

export interface DebiasedRate {
  estimate: number;
  /** null under three labeled tasks. */
  ci95: Interval | null;
}

/**
 * pass@1 without the judge's bias: the labels say how far the judge is off on their tasks, the judge says what the other
 * tasks are like. Prediction-powered inference (arXiv:2301.09633, tuned as in arXiv:2311.01453) with tasks as the draws,
 * so that rows of one task count as one. The labeled tasks have to be a random draw of all.
 *
 * The interval is Student's at the labeled tasks, less one, cut to [0, 1]; where labels and judge leave no spread at all
 * it is the score interval of that many tasks.
 *
 * @returns null without a label
 */
export function debiasedRate(tasks: readonly JudgedTask[]): DebiasedRate | null {
  const labeled = tasks.flatMap((task) => task.labeled ?? []);
  const n = labeled.length;
  if (n === 0) return null;
  const gold = mean(labeled.map((task) => task.gold))!;
  const judgeOnGold = mean(labeled.map((task) => task.judge))!;
  const judge = mean(tasks.map((task) => task.judge))!;

  // What each task adds to the error: of the labels, and of leaning on the judge.
  const ofLabels = tasks.map((task) => (task.labeled === null ? 0 : (task.labeled.gold - gold) / n));
  const ofJudge = tasks.map(
    (task) =>
      (task.judge - judge) / tasks.length - (task.labeled === null ? 0 : (task.labeled.judge - judgeOnGold) / n),
  );
  const squares = sum(ofJudge.map((part) => part ** 2));
  const covariance = sum(ofJudge.map((part, i) => part * ofLabels[i]!));
  const lean = squares === 0 ? 0 : Math.min(1, Math.max(0, -covariance / squares));
  const estimate = within(gold + lean * (judge - judgeOnGold));
  if (n < MIN_CI_TASKS) return { estimate, ci95: null };
  const variance = (n / (n - 1)) * sum(ofLabels.map((part, i) => (part + lean * ofJudge[i]!) ** 2));
  const half = tQuantile(n - 1, CI_LEVEL) * Math.sqrt(variance);
  if (half < NO_SPREAD) return { estimate, ci95: scoreInterval(estimate, n, Z_95) };
  return { estimate, ci95: [within(estimate - half), within(estimate + half)] };
}

/** A half-width that is rounding. */
const NO_SPREAD = 1e-9;

const within = (rate: number): number => Math.min(1, Math.max(0, rate));
