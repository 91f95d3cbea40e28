import { CI_LEVEL, MIN_CI_TASKS, Z_95 } from "../constants.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import type { RateIntervalOptions } from "./clopper-pearson.ts";
import type { Interval } from "./interval.ts";
import { meanOf, rangeOf, type Sample, sampleOf, sizeOf } from "./sample.ts";
import { scoreInterval } from "./wilson-interval.ts";

export interface MeanScoreInterval {
  ci95: Interval;
  /** Coins that would know the mean as well: n for tasks that are 0 or 1, more where tasks vary less than a coin. */
  nEffective: number;
}

/**
 * Score interval on the mean of n shares, one a task: Wilson's, at the effective number of tasks m(1-m)/var (Kish
 * 1965; Dean and Pagano 2015). On tasks of one rollout it is Wilson's interval itself. Stays inside [0, 1].
 *
 * Two additions keep it honest on few tasks. The variance seen is averaged with a coin's, weighing as `4 (1-2m)⁴` more
 * tasks: eight tasks at 0.97 do not know of the rare hard one, and nothing is added near one half. The quantile is
 * Student's for the part of the variance that had to be estimated and the normal one for the part that m gives away.
 *
 * @param values One a task, each in [0, 1]
 * @param options `level` is the confidence, 0.95
 * @returns null under three values
 * @throws StatsError `bad_value`, `bad_level`
 */
export function meanScoreInterval(
  values: readonly number[],
  { level = CI_LEVEL }: RateIntervalOptions = {},
): MeanScoreInterval | null {
  checkLevel(level);
  const sample = sampleOf(values);
  const [low, high] = rangeOf(sample);
  if (low < 0 || high > 1) {
    throw new StatsError(
      "bad_value",
      `meanScoreInterval got values from ${low} to ${high}.`,
      "Pass shares from 0 to 1; expandedPercentileCi takes any values.",
    );
  }
  return values.length < MIN_CI_TASKS ? null : meanScore(sample, level);
}

export function meanScore(sample: Sample, level: number = CI_LEVEL): MeanScoreInterval {
  const n = sizeOf(sample);
  const rate = meanOf(sample)!;
  const coin = rate * (1 - rate);
  const z = level === CI_LEVEL ? Z_95 : normalQuantile((1 + level) / 2);
  const squares = squaresAround(sample, rate);
  // Equal values say nothing of the spread: the coin's, the widest that shares can have (Bhatia and Davis 2000).
  if (squares <= n * SAME ** 2 || coin === 0) return { ci95: scoreInterval(rate, n, z), nEffective: n };
  const prior = 4 * (1 - 2 * rate) ** 4;
  const ratio = Math.min(1, (squares / coin + prior) / (n - 1 + prior));
  const quantile = z + (tQuantile(n - 1, level) - z) * (1 - ratio);
  return { ci95: scoreInterval(rate, n / ratio, quantile), nEffective: n / ratio };
}

/** Values this near are one value. */
const SAME = 1e-9;

/** Added up from the smallest, so that the order of the tasks does not matter. */
function squaresAround({ values, counts }: Sample, centre: number): number {
  const terms = Array.from({ length: values.length }, (_, i) => counts[i]! * (values[i]! - centre) ** 2);
  return sum(terms.sort((a, b) => a - b));
}
