import { ALPHA } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { StatsError } from "../stats-error.ts";

export interface BettingOptions {
  /** Chance that the true mean ever leaves the sequence. */
  alpha?: number;
  /** The least and the largest value there can be. */
  low?: number;
  high?: number;
  /** A mean to hold the values against; the middle of the range when left out. */
  nullMean?: number | undefined;
}

export interface BettingConfidenceSequence {
  n: number;
  /** What no look so far has ruled out: never widens as values come in. The whole range without values. */
  ci: Interval;
  /** Most that bets against `nullMean` have ever made of one coin: reject once it is 1 / alpha. */
  eValue: number;
  /** 1 / eValue, at most 1: a p-value that may be looked at after every value. */
  pAnytime: number;
  /** Values after which `nullMean` was ruled out; null where it is not. */
  rejectedAt: number | null;
}

/** A bet never risks more than this share of what there is: Waudby-Smith and Ramdas's choice. */
const MOST_RISKED = 0.5;
const BISECTIONS = 50;

/**
 * Interval on the mean of bounded values that may be looked at after every one of them: the true mean ever leaves it with
 * chance alpha at most, also after a dozen values, whatever their distribution. Against every candidate mean one bets on
 * values above and one on values below it; a candidate is out once either has made 2 / alpha of its stake. Hedged capital
 * with predictable plug-in bets, Waudby-Smith and Ramdas 2024 (arXiv:2010.09686). Values have to come in random order.
 *
 * @param values In the order in which they came
 * @throws StatsError `bad_value` for a value outside the range, or a range without width; `bad_level`
 */
export function bettingConfidenceSequence(
  values: readonly number[],
  { alpha = ALPHA, low = 0, high = 1, nullMean }: BettingOptions = {},
): BettingConfidenceSequence {
  checkLevel(alpha);
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw new StatsError("bad_value", `The range is ${low} to ${high}.`, "Pass the least and the largest value.");
  }
  const against = nullMean ?? (low + high) / 2;
  for (const value of [...values, against]) {
    if (value >= low && value <= high) continue;
    throw new StatsError("bad_value", `${value} is outside ${low} to ${high}.`, "Pass the range that values can have.");
  }
  const x = values.map((value) => (value - low) / (high - low));
  const bets = betsOf(x, alpha);
  const [m, flipped] = [(against - low) / (high - low), x.map((value) => 1 - value)];
  const over = wealth(x, bets, m);
  const under = wealth(flipped, bets, 1 - m);
  const threshold = Math.log(2 / alpha);
  let most = Number.NEGATIVE_INFINITY;
  let rejectedAt: number | null = null;
  for (let i = 0; i < x.length; i++) {
    most = Math.max(most, over[i]!, under[i]!);
    if (rejectedAt === null && most >= threshold) rejectedAt = i + 1;
  }
  // Half of the coin is bet on either side.
  const eValue = x.length === 0 ? 1 : Math.min(Number.MAX_VALUE, Math.exp(most) / 2);
  const lower = lowerEnd(x, bets, threshold);
  const upper = 1 - lowerEnd(flipped, bets, threshold);
  return {
    n: x.length,
    ci: [low + lower * (high - low), low + upper * (high - low)],
    ...{ eValue, pAnytime: Math.min(1, 1 / eValue), rejectedAt },
  };
}

/** Size of the bet on each value, from those before it: the empirical Bernstein bet, on a prior of one half. */
function betsOf(x: readonly number[], alpha: number): number[] {
  const bets: number[] = [];
  let [total, squares, variance] = [0.5, 0.25, 0.25];
  for (const [i, value] of x.entries()) {
    const t = i + 1;
    bets.push(Math.sqrt((2 * Math.log(2 / alpha)) / (variance * t * Math.log(t + 1))));
    total += value;
    squares += (value - total / (t + 1)) ** 2;
    variance = squares / (t + 1);
  }
  return bets;
}

/** Logarithm of what bets on values above m have made of one coin, after each value. */
function wealth(x: readonly number[], bets: readonly number[], m: number): number[] {
  let log = 0;
  return x.map((value, i) => {
    const bet = m === 0 ? bets[i]! : Math.min(bets[i]!, MOST_RISKED / m);
    log += Math.log1p(bet * (value - m));
    return log;
  });
}

/** The largest mean that bets on values above it have ruled out: what they make falls with the mean they bet against. */
function lowerEnd(x: readonly number[], bets: readonly number[], threshold: number): number {
  const isOut = (m: number) => wealth(x, bets, m).some((log) => log >= threshold);
  let [out, open] = [0, 1];
  if (!isOut(0)) return 0;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (out + open) / 2;
    if (isOut(middle)) out = middle;
    else open = middle;
  }
  return out;
}
