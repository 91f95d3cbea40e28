import { clusteredStandardError } from "../clustered/clustered-standard-error.ts";
import { clusterSums } from "../compare/cluster-values.ts";
import type { Interval } from "../interval/interval.ts";
import { normalCdf } from "../kernel/normal.ts";
import { tCdf } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import { chanceGap } from "./chance-gap.ts";
import { forecastsOf } from "./forecasts.ts";
import { isotonicAt, isotonicFit } from "./isotonic-fit.ts";
import {
  type Binning,
  binsOf,
  checkBins,
  RELIABILITY_BINS,
  type ReliabilityBin,
  type ReliabilityOptions,
} from "./reliability-bins.ts";
import { rocAreaOf } from "./roc-area.ts";

export interface CalibrationOptions extends ReliabilityOptions {
  /** The cluster of each row (its task): clusters are then what varies. */
  clusters?: readonly string[] | undefined;
}

/** Do forecasts come true as often as they say, and do they tell pass from failure at all? */
export interface Calibration {
  /** Rows with a forecast and an outcome. */
  n: number;
  nSkipped: number;
  /** Rows, or clusters. */
  nDraws: number;
  meanForecast: number | null;
  /** Share that passed. */
  baseRate: number | null;
  /** Forecast less outcome on average: over 0 it promises too much. */
  bias: number | null;
  biasCi95: Interval | null;
  /** Mean squared difference of forecast and outcome: 0 is best, saying 0.5 of everything has 0.25. */
  brier: number | null;
  brierCi95: Interval | null;
  /** Of the Brier score of saying the base rate of every row, the share that is saved; under 0 that would be better. */
  skill: number | null;
  /** Null where outcomes have one class. */
  skillCi95: Interval | null;
  /** The Brier score in three parts, `miscalibration - discrimination + uncertainty`, of which the first could be mapped away. */
  miscalibration: number | null;
  discrimination: number | null;
  uncertainty: number | null;
  /** Chance that a pass is scored above a failure. */
  rocArea: number | null;
  /** Over the bins: mean distance of what was said and what came, by rows; and the largest one. */
  ece: number | null;
  mce: number | null;
  /** The `ece` that forecasts which are true would show on these rows, if rows are independent. */
  eceByChance: number | null;
  /** That what is said is true: Spiegelhalter's z. Null where every forecast is 0.5. */
  z: number | null;
  pValue: number | null;
  nBins: number;
  binning: Binning;
  bins: ReliabilityBin[];
  note: "no_pairs" | "one_class" | null;
}

/**
 * A judge whose reward is a chance of passing, against what came of it: Brier score (1950) with its parts, expected
 * calibration error over bins, and a test. An `ece` is never 0 on finitely many rows: forty rows of a judge that is right
 * about itself show some 0.1, so it stands beside what chance alone would give.
 *
 * The parts are those of Dimitriadis, Gneiting and Jordan 2021 (doi 10.1073/pnas.2016191118), with the isotonic map of the
 * same rows in place of bins: they add up exactly, and no choice of bins is in them. The test is Spiegelhalter's (1986); with
 * clusters its variance is that of their sums, on Student's t.
 *
 * @param forecasts From 0 to 1, null where there is none
 * @param outcomes 0 or 1 of the same rows, null where it is not known
 * @throws StatsError `bad_value` for lists of several lengths, a forecast outside [0, 1] or another outcome; `bad_option`
 */
export function calibration(
  forecasts: readonly (number | null)[],
  outcomes: readonly (0 | 1 | null)[],
  { nBins = RELIABILITY_BINS, binning = "width", clusters }: CalibrationOptions = {},
): Calibration {
  checkBins(nBins, binning);
  const { said, came, kept } = forecastsOf("calibration", forecasts, outcomes);
  if (clusters !== undefined && clusters.length !== forecasts.length) {
    throw new StatsError(
      "bad_value",
      `calibration got ${forecasts.length} forecasts and ${clusters.length} clusters.`,
      "Pass the cluster of each row.",
    );
  }
  const n = said.length;
  const settings = { n, nSkipped: forecasts.length - n, nBins, binning };
  if (n === 0) return { ...settings, ...NOTHING };
  const names = kept.map((i) => clusters?.[i] ?? String(i));
  const nDraws = new Set(names).size;
  const squares = said.map((forecast, i) => (forecast - came[i]!) ** 2);
  const brier = mean(squares)!;
  const baseRate = mean(came)!;
  const uncertainty = baseRate * (1 - baseRate);
  const fit = isotonicFit(said, came);
  const mapped = mean(said.map((forecast, i) => (isotonicAt(fit, forecast)! - came[i]!) ** 2))!;
  const bins = binsOf(said, came, nBins, binning);
  const gaps = bins.map(({ meanForecast, rate }) => Math.abs(meanForecast - rate));
  const bias = clusteredStandardError(
    said.map((forecast, i) => forecast - came[i]!),
    names,
  )!;
  return {
    ...{ ...settings, nDraws, meanForecast: mean(said), baseRate, bias: bias.mean, biasCi95: bias.ci95 },
    ...{ brier, brierCi95: within(clusteredStandardError(squares, names)!.ci95, 0) },
    ...skillOf(squares, came, names, baseRate),
    ...{ miscalibration: brier - mapped, discrimination: uncertainty - mapped, uncertainty },
    rocArea: rocAreaOf(said, came),
    ece: sum(gaps.map((gap, i) => gap * bins[i]!.n)) / n,
    mce: Math.max(...gaps),
    eceByChance: sum(membersOf(said, bins).map(chanceGap)) / n,
    ...testOf(said, came, nDraws < n ? names : null),
    bins,
    note: uncertainty === 0 ? "one_class" : null,
  };
}

const NOTHING = {
  ...{ nDraws: 0, meanForecast: null, baseRate: null, bias: null, biasCi95: null, brier: null, brierCi95: null },
  ...{ skill: null, skillCi95: null, miscalibration: null, discrimination: null, uncertainty: null, rocArea: null },
  ...{ ece: null, mce: null, eceByChance: null, z: null, pValue: null },
  bins: [] as ReliabilityBin[],
  note: "no_pairs",
} as const satisfies Partial<Calibration>;

/** A t interval may leave what the number can be: no Brier score is under 0 or over 1, and no skill over 1. */
function within(interval: Interval | null, least: number): Interval | null {
  return interval === null ? null : [Math.max(least, interval[0]), Math.min(1, interval[1])];
}

function skillOf(
  squares: readonly number[],
  came: readonly number[],
  names: readonly string[],
  baseRate: number,
): Pick<Calibration, "skill" | "skillCi95"> {
  const uncertainty = baseRate * (1 - baseRate);
  if (uncertainty === 0) return { skill: null, skillCi95: null };
  // The ratio linearised; the error of the base rate itself has no part of first order.
  const skill = 1 - mean(squares)! / uncertainty;
  const parts = squares.map((square, i) => {
    const reference = (baseRate - came[i]!) ** 2;
    return skill + ((1 - skill) * reference - square) / uncertainty;
  });
  return { skill, skillCi95: within(clusteredStandardError(parts, names)!.ci95, Number.NEGATIVE_INFINITY) };
}

/** The forecasts of each bin: bins follow one another, and so do sorted forecasts. */
function membersOf(said: readonly number[], bins: readonly ReliabilityBin[]): number[][] {
  const sorted = [...said].sort((a, b) => a - b);
  let at = 0;
  return bins.map(({ n }) => {
    at += n;
    return sorted.slice(at - n, at);
  });
}

/** With `names` their sums are the draws. */
function testOf(
  said: readonly number[],
  came: readonly number[],
  names: readonly string[] | null,
): Pick<Calibration, "z" | "pValue"> {
  const parts = said.map((forecast, i) => (came[i]! - forecast) * (1 - 2 * forecast));
  const sums = names === null ? parts : clusterSums(parts, names);
  const variance =
    names === null
      ? sum(said.map((forecast) => (1 - 2 * forecast) ** 2 * forecast * (1 - forecast)))
      : sum(sums.map((part) => part ** 2));
  const total = sum(parts);
  // Forecasts of 0 and 1 alone leave no room: one that is wrong is a refutation.
  if (variance === 0) return { z: null, pValue: total === 0 ? null : 0 };
  const z = total / Math.sqrt(variance);
  const tail = names === null || sums.length < 2 ? normalCdf(-Math.abs(z)) : tCdf(-Math.abs(z), sums.length - 1);
  return { z, pValue: 2 * tail };
}
