import type { Interval } from "../interval/interval.ts";
import { wilsonInterval } from "../interval/wilson-interval.ts";
import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import { forecastsOf } from "./forecasts.ts";

/** `width`: equal steps of the forecast; `mass`: as many rows in each, as far as equal forecasts allow. */
export type Binning = "width" | "mass";

/** The words of `Binning`. */
export const BINNINGS: readonly Binning[] = ["width", "mass"];

/** Bins that a reliability diagram has by default. */
export const RELIABILITY_BINS = 10;

export interface ReliabilityOptions {
  nBins?: number;
  binning?: Binning;
}

/** Rows with nearly one forecast: what was said of them, and what came. */
export interface ReliabilityBin {
  /** Edges by width; by mass the lowest and the highest forecast in it. */
  low: number;
  high: number;
  n: number;
  meanForecast: number;
  /** Share of them that passed. */
  rate: number;
  /** Wilson's, rows as the draws. */
  ci95: Interval;
}

/**
 * The reliability diagram as numbers: of the rows of which a judge said about 0.8, how many passed? Bins without rows are
 * left out. Murphy and Winkler 1977.
 *
 * @param forecasts From 0 to 1, null where there is none
 * @param outcomes 0 or 1 of the same rows, null where it is not known
 * @throws StatsError `bad_value` for lists of two lengths, a forecast outside [0, 1] or another outcome; `bad_option`
 */
export function reliabilityBins(
  forecasts: readonly (number | null)[],
  outcomes: readonly (0 | 1 | null)[],
  { nBins = RELIABILITY_BINS, binning = "width" }: ReliabilityOptions = {},
): ReliabilityBin[] {
  checkBins(nBins, binning);
  const { said, came } = forecastsOf("reliabilityBins", forecasts, outcomes);
  return binsOf(said, came, nBins, binning);
}

/** @throws StatsError `bad_option` */
export function checkBins(nBins: number, binning: string): void {
  if (!(Number.isSafeInteger(nBins) && nBins >= 1)) {
    throw new StatsError("bad_option", `nBins is ${nBins}.`, "Pass a whole number from 1 up.");
  }
  if (!(BINNINGS as readonly string[]).includes(binning)) {
    throw new StatsError("bad_option", `binning is ${JSON.stringify(binning)}.`, `Pass ${BINNINGS.join(" or ")}.`);
  }
}

/** The same of forecasts that were checked. */
export function binsOf(
  said: readonly number[],
  came: readonly number[],
  nBins: number,
  binning: Binning,
): ReliabilityBin[] {
  const order = said.map((_, i) => i).sort((a, b) => said[a]! - said[b]!);
  const members = new Map<number, number[]>();
  for (const [place, i] of order.entries()) {
    const bin = binning === "width" ? binByWidth(said[i]!, nBins) : Math.floor((place * nBins) / order.length);
    const own = members.get(bin);
    if (own === undefined) members.set(bin, [i]);
    else own.push(i);
  }
  const bins = [...members.entries()].sort(([a], [b]) => a - b);
  const whole = binning === "width" ? bins : joined(bins, said);
  return whole.map(([bin, own]) => {
    const n = own.length;
    const passed = own.filter((i) => came[i] === 1).length;
    const [low, high] = binning === "width" ? [bin / nBins, (bin + 1) / nBins] : [said[own[0]!]!, said[own[n - 1]!]!];
    return {
      ...{ low, high, n, rate: passed / n, ci95: wilsonInterval(passed, n)! },
      meanForecast: sum(own.map((i) => said[i]!)) / n,
    };
  });
}

/** A forecast on an edge is of the bin above it, and 1 of the last; 0.29 · 100 is 28.999999999999996. */
function binByWidth(forecast: number, nBins: number): number {
  return Math.min(nBins - 1, Math.floor(forecast * nBins + EDGE));
}

const EDGE = 1e-9;

/** Rows with one forecast are told apart by nothing: they are all of the bin in which the first of them is. */
function joined(bins: readonly [number, number[]][], said: readonly number[]): [number, number[]][] {
  const whole: [number, number[]][] = [];
  for (const [bin, own] of bins) {
    const last = whole.at(-1);
    const edge = last === undefined ? undefined : said[last[1].at(-1)!];
    const rest = last === undefined ? own : own.filter((i) => said[i] !== edge);
    if (last !== undefined) last[1].push(...own.filter((i) => said[i] === edge));
    if (rest.length > 0) whole.push([bin, rest]);
  }
  return whole;
}
