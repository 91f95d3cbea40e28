import { clusterSums } from "../compare/cluster-values.ts";
import { CI_LEVEL } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

export interface ControlledRateOptions {
  /** The cluster of each outcome (its task): clusters are then what varies. */
  clusters?: readonly string[] | undefined;
  level?: number;
}

export interface ControlledRate {
  n: number;
  /** What varies: outcomes, or clusters. */
  nDraws: number;
  /** Mean of the outcomes as they are. */
  rawRate: number | null;
  /** Where the covariate is 0; null with the reason in `note`. */
  rate: number | null;
  /** Null under four draws. */
  ci95: Interval | null;
  /** Log odds for one unit of the covariate; null where it does not vary. */
  slope: number | null;
  slopeCi95: Interval | null;
  /** `one_sided`: no outcome has a covariate on both sides of 0, or at it, so that 0 is out of sight. */
  note: "no_outcomes" | "one_sided" | null;
}

/**
 * Rate of wins where something else is held at zero: a win rate at equal length of both replies (Dubois et al. 2024, arXiv
 * 2404.04475). Logistic in the covariate, with Firth's (1993) correction, so that a covariate which parts all wins from all
 * losses still has an estimate; the interval is that of clusters (Liang and Zeger 1986) on Student's t.
 *
 * @param outcomes Wins, 0 to 1: a tie is 0.5
 * @param covariate Of the same outcomes, in the same order
 * @throws StatsError `bad_value` for lists of several lengths, an outcome outside 0 to 1, a covariate that is not finite;
 *   `bad_level`
 */
export function controlledRate(
  outcomes: readonly number[],
  covariate: readonly number[],
  { clusters, level = CI_LEVEL }: ControlledRateOptions = {},
): ControlledRate {
  check(outcomes, covariate, clusters);
  checkLevel(level);
  const n = outcomes.length;
  const nDraws = clusters === undefined ? n : new Set(clusters).size;
  const report = { n, nDraws, rawRate: mean(outcomes) };
  const none = { rate: null, ci95: null, slope: null, slopeCi95: null };
  if (n === 0) return { ...report, ...none, note: "no_outcomes" };
  const [least, most] = [Math.min(...covariate), Math.max(...covariate)];
  if (least > 0 || most < 0) return { ...report, ...none, note: "one_sided" };
  // Fitted in units of the largest covariate, whose squares cannot vanish.
  const unit = Math.max(-least, most);
  const varies = unit > SMALLEST;
  const scaled = covariate.map((x) => (varies ? x / unit : 0));
  const fit = firth(outcomes, scaled, varies);
  const variance = sandwich(outcomes, scaled, fit, clusters);
  const df = nDraws - (varies ? 2 : 1);
  const reach = df < 2 ? null : tQuantile(df, level);
  const [a, b] = [fit.intercept, fit.slope / unit];
  const halfA = reach === null ? 0 : reach * Math.sqrt(variance.intercept);
  const halfB = reach === null ? 0 : (reach * Math.sqrt(variance.slope)) / unit;
  return {
    ...report,
    rate: logistic(a),
    ci95: reach === null ? null : [logistic(a - halfA), logistic(a + halfA)],
    slope: varies ? b : null,
    slopeCi95: varies && reach !== null ? [b - halfB, b + halfB] : null,
    note: null,
  };
}

function check(outcomes: readonly number[], covariate: readonly number[], clusters?: readonly string[]): void {
  const n = outcomes.length;
  if (covariate.length !== n || (clusters !== undefined && clusters.length !== n)) {
    const others = clusters === undefined ? "" : ` and ${clusters.length} clusters`;
    throw new StatsError(
      "bad_value",
      `controlledRate got ${n} outcomes, ${covariate.length} covariates${others}.`,
      "Pass one of each for every outcome.",
    );
  }
  const bad =
    outcomes.find((value) => !(value >= 0 && value <= 1)) ?? covariate.find((value) => !Number.isFinite(value));
  if (bad === undefined) return;
  throw new StatsError("bad_value", `controlledRate got ${bad}.`, "Pass outcomes from 0 to 1, and finite covariates.");
}

interface Fit {
  intercept: number;
  slope: number;
  /** Inverse of the information: of intercept, of both, of slope. */
  cover: readonly [number, number, number];
}

/** A covariate under it is 0: the slope of such a one would be no number. */
const SMALLEST = 1e-150;
const MAX_STEPS = 200;
const CONVERGED = 1e-10;
/** Longest step in log odds: Newton's method overshoots where all outcomes are alike. */
const LONGEST = 2;

/** Newton's method on the score with Firth's correction; where `slope` is held at 0 the information of it is left out. */
function firth(outcomes: readonly number[], covariate: readonly number[], hasSlope: boolean): Fit {
  let [a, b] = [0, 0];
  for (let step = 0; ; step++) {
    const chances = covariate.map((x) => logistic(a + b * x));
    const weights = chances.map((p) => p * (1 - p));
    const cover = inverse(weights, covariate, hasSlope);
    const residuals = outcomes.map((y, i) => {
      const [x, p] = [covariate[i]!, chances[i]!];
      const leverage = weights[i]! * (cover[0] + 2 * cover[1] * x + cover[2] * x * x);
      return y - p + leverage * (0.5 - p);
    });
    const [scoreA, scoreB] = [sum(residuals), hasSlope ? sum(residuals.map((r, i) => r * covariate[i]!)) : 0];
    const [stepA, stepB] = [cover[0] * scoreA + cover[1] * scoreB, cover[1] * scoreA + cover[2] * scoreB];
    const size = Math.max(Math.abs(stepA), Math.abs(stepB));
    if (size < CONVERGED || step === MAX_STEPS) return { intercept: a, slope: b, cover };
    const shrink = Math.min(1, LONGEST / size);
    a += shrink * stepA;
    b += shrink * stepB;
  }
}

function inverse(weights: readonly number[], x: readonly number[], hasSlope: boolean): [number, number, number] {
  const w = sum(weights);
  if (!hasSlope) return [1 / w, 0, 0];
  const wx = sum(weights.map((weight, i) => weight * x[i]!));
  const wxx = sum(weights.map((weight, i) => weight * x[i]! ** 2));
  const determinant = w * wxx - wx * wx;
  return [wxx / determinant, -wx / determinant, w / determinant];
}

/**
 * Variance of both, clusters as the draws, with n / (n - 1) for few of them. Firth's correction is that of half a win and
 * half a loss shared out over the outcomes (its leverages): they vary like the others, so that wins alone, or ties alone,
 * are no certainty.
 */
function sandwich(
  outcomes: readonly number[],
  covariate: readonly number[],
  { intercept, slope, cover }: Fit,
  clusters: readonly string[] | undefined,
): { intercept: number; slope: number } {
  const chances = covariate.map((x) => logistic(intercept + slope * x));
  const residuals = outcomes.map((y, i) => y - chances[i]!);
  const draws = (values: readonly number[]) => (clusters === undefined ? values : clusterSums(values, clusters));
  const ofA = draws(residuals);
  const ofB = draws(residuals.map((r, i) => r * covariate[i]!));
  const n = ofA.length;
  const shared = chances.map((p, i) => {
    const x = covariate[i]!;
    const leverage = p * (1 - p) * (cover[0] + 2 * cover[1] * x + cover[2] * x * x);
    return (leverage / 2) * ((1 - p) ** 2 + p ** 2);
  });
  const spread = (one: number, other: number) =>
    (n < 2 ? 0 : (n / (n - 1)) * sum(ofA.map((a, i) => (one * a + other * ofB[i]!) ** 2))) +
    sum(shared.map((part, i) => part * (one + other * covariate[i]!) ** 2));
  return { intercept: spread(cover[0], cover[1]), slope: spread(cover[1], cover[2]) };
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
