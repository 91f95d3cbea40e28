import { BOOTSTRAP_DRAWS } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { commonDenominator } from "../interval/lattice.ts";
import { sampleOf } from "../interval/sample.ts";
import { checkDraws } from "../kernel/percentile-indices.ts";
import { mean, sum } from "../kernel/sum.ts";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { StatsError } from "../stats-error.ts";

export interface SignFlipOptions {
  nBoot?: number;
  seed?: number;
}

/** A two-sided sign-flip test. */
export interface SignFlip {
  /** Chance of a mean at least as far from zero, if each difference could as well carry the other sign. */
  p: number;
  /** The same with half of the arrangements exactly as far (Lancaster 1961): no longer conservative on few tasks. */
  midP: number;
  method: "exact" | "monte_carlo";
}

/** Two sums this near are one: what adding the same numbers in another order can move. */
const TIE = 1e-12;
/** Differences off any lattice are enumerated up to here: 2^19 sums, 4 MB and 15 ms. */
const MAX_ENUMERATED = 20;
/** Steps of the dynamic programme, about half a second; beyond it the test is drawn. */
const MAX_STEPS = 5e8;
/** Mass below this is dropped: it would crawl through denormals, and 1e5 such terms still weigh nothing. */
const NOTHING = 1e-290;

/**
 * Sign-flip test by draws from the Python SDK's random stream: one `random()` a difference, zeros too, the sign kept
 * below 0.5. The p-value counts the observed arrangement as a draw, (count + 1) / (nBoot + 1), so it is never 0
 * (Phipson and Smyth 2010). `signFlipExact` needs no draws.
 *
 * @param diffs One difference a task
 * @returns null without differences
 * @throws StatsError `bad_value`, `bad_count`, `bad_seed`
 */
export function signFlipPValue(
  diffs: readonly number[],
  { nBoot = BOOTSTRAP_DRAWS, seed = 0 }: SignFlipOptions = {},
): number | null {
  checkDraws(nBoot);
  sampleOf(diffs);
  return diffs.length === 0 ? null : drawn(diffs, nBoot, seed).p;
}

/**
 * Exact two-sided sign-flip test (Fisher 1935): the share of the 2^n arrangements of signs whose mean is at least as
 * far from zero as the observed one. Zeros never change it. A dynamic programme over whole steps, so nothing is drawn:
 * 5,000 tasks of 4 rollouts take 50 ms, and a p-value of 1e-40 is as exact as one of 0.4.
 *
 * @returns null without differences
 * @throws StatsError `bad_value`; `off_lattice` for more than 20 differences without a common denominator
 */
export function signFlipExact(diffs: readonly number[]): number | null {
  if (diffs.length === 0) return null;
  const exact = exactSignFlip(diffs);
  if (exact !== null) return exact.p;
  throw new StatsError(
    "off_lattice",
    `The ${diffs.length} differences share no denominator small enough for an exact answer.`,
    "Use signFlipPValue, which draws.",
  );
}

/** The exact test where there is one, else the draws; compat always draws. null without differences. */
export function signFlip(
  diffs: readonly number[],
  { inference, nBoot = BOOTSTRAP_DRAWS, seed = 0 }: SignFlipOptions & { inference: Inference },
): SignFlip | null {
  if (diffs.length === 0) return null;
  return (inference === "strict" ? exactSignFlip(diffs) : null) ?? drawn(diffs, nBoot, seed);
}

function drawn(diffs: readonly number[], nBoot: number, seed: number): SignFlip {
  const rng = new MersenneTwister(seed);
  const observed = Math.abs(mean(diffs)!);
  let farther = 0;
  let asFar = 0;
  for (let draw = 0; draw < nBoot; draw++) {
    let total = 0;
    for (const diff of diffs) total += rng.random() < 0.5 ? diff : -diff;
    const gap = Math.abs(total / diffs.length) - observed;
    if (gap > TIE) farther++;
    else if (gap >= -TIE) asFar++;
  }
  const p = (farther + asFar + 1) / (nBoot + 1);
  return { p, midP: (farther + (asFar + 1) / 2) / (nBoot + 1), method: "monte_carlo" };
}

function exactSignFlip(diffs: readonly number[]): SignFlip | null {
  const sample = sampleOf(diffs);
  const moved = diffs.filter((diff) => diff !== 0);
  const denominator = commonDenominator(sample);
  const steps = denominator === null ? null : inSteps(moved, denominator);
  if (steps !== null) return fromSteps(steps);
  return moved.length <= MAX_ENUMERATED ? enumerated(moved) : null;
}

/** The differences as whole numbers without a common factor; null when the programme would take too long. */
function inSteps(moved: readonly number[], denominator: number): number[] | null {
  const steps = moved.map((diff) => Math.round(diff * denominator));
  const factor = steps.reduce((common, step) => gcd(common, Math.abs(step)), 0);
  const whole = factor === 0 ? steps : steps.map((step) => step / factor);
  const span = whole.reduce((total, step) => total + Math.abs(step), 0);
  return span * whole.length > MAX_STEPS ? null : whole;
}

/**
 * The sum of the steps that keep their sign has a distribution symmetric about half of all steps, and an arrangement
 * is as far out as that sum is from the middle. Each step doubles the arrangements; halving keeps them a probability.
 */
function fromSteps(steps: readonly number[]): SignFlip {
  const observed = Math.abs(steps.reduce((total, step) => total + step, 0));
  const sizes = steps.map(Math.abs).sort((a, b) => a - b);
  const span = sizes.reduce((total, size) => total + size, 0);
  const mass = new Float64Array(span + 1);
  mass[0] = 1;
  // Only low..high holds mass worth keeping.
  let [low, high] = [0, 0];
  for (const size of sizes) {
    high += size;
    for (let at = high; at >= low; at--) {
      const shifted = at - size >= low ? mass[at - size]! : 0;
      mass[at] = (mass[at]! + shifted) / 2;
    }
    while (mass[low]! < NOTHING) mass[low++] = 0;
    while (mass[high]! < NOTHING) mass[high--] = 0;
  }
  let farther = 0;
  let asFar = 0;
  for (let at = low; at <= high; at++) {
    const distance = Math.abs(2 * at - span);
    if (distance > observed) farther += mass[at]!;
    else if (distance === observed) asFar += mass[at]!;
  }
  return { p: Math.min(1, farther + asFar), midP: Math.min(1, farther + asFar / 2), method: "exact" };
}

/** All sums with the first sign fixed; the other half mirrors them. */
function enumerated(moved: readonly number[]): SignFlip {
  const observed = Math.abs(sum(moved));
  const scale = Math.max(1, ...moved.map(Math.abs)) * moved.length;
  let sums = Float64Array.of(moved[0]!);
  for (const diff of moved.slice(1)) {
    const next = new Float64Array(sums.length * 2);
    for (let i = 0; i < sums.length; i++) {
      next[2 * i] = sums[i]! + diff;
      next[2 * i + 1] = sums[i]! - diff;
    }
    sums = next;
  }
  let farther = 0;
  let asFar = 0;
  for (const total of sums) {
    const gap = Math.abs(total) - observed;
    if (gap > TIE * scale) farther++;
    else if (gap >= -TIE * scale) asFar++;
  }
  return { p: (farther + asFar) / sums.length, midP: (farther + asFar / 2) / sums.length, method: "exact" };
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
