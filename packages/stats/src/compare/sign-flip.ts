import { BOOTSTRAP_DRAWS } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { commonDenominator } from "../interval/lattice.ts";
import { sampleOf } from "../interval/sample.ts";
import { binomialTerm } from "../kernel/binomial-term.ts";
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
/** Multiplications of the exact test, about half a second; beyond it the test is drawn. */
const MAX_STEPS = 5e8;
/**
 * Mass below this is dropped from the ends of a distribution. The first is enough for a p-value down to 1e-20 and keeps
 * 27 standard deviations, the last 73; below it numbers lose digits.
 */
const NOTHING = [1e-40, 1e-100, 1e-290];
/** What was dropped may be this share of the p-value. */
const NEGLIGIBLE = 1e-14;

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
 * far from zero as the observed one. Zeros never change it. Counted in whole steps, so nothing is drawn:
 * 5,000 tasks of 4 rollouts take 17 ms, and a p-value of 1e-40 is as exact as one of 0.4.
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
  const values = Float64Array.from(diffs);
  let farther = 0;
  let asFar = 0;
  for (let draw = 0; draw < nBoot; draw++) {
    let total = 0;
    for (let i = 0; i < values.length; i++) {
      // `random() < 0.5`: it takes two words, and the highest bit of the first decides.
      total += values[i]! * (1 - 2 * (rng.word() >>> 31));
      rng.word();
    }
    const gap = Math.abs(total / values.length) - observed;
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

/** The differences as whole numbers without a common factor; null when counting would take too long. */
function inSteps(moved: readonly number[], denominator: number): number[] | null {
  const steps = moved.map((diff) => Math.round(diff * denominator));
  const factor = steps.reduce((common, step) => gcd(common, Math.abs(step)), 0);
  const whole = factor === 0 ? steps : steps.map((step) => step / factor);
  return costOf(whole) > MAX_STEPS ? null : whole;
}

/** Multiplications, where 27 standard deviations of each distribution are kept. */
function costOf(steps: readonly number[]): number {
  const kept = (span: number, sd: number) => Math.min(span + 1, 27 * sd);
  const span = steps.reduce((total, step) => total + Math.abs(step), 0);
  const sd = Math.sqrt(steps.reduce((total, step) => total + step ** 2, 0)) / 2;
  return [...bySize(steps).values()].reduce((total, n) => total + kept(span, sd) * kept(n, Math.sqrt(n) / 2), 0);
}

/** How many steps there are of each size. */
function bySize(steps: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(Math.abs(step), (counts.get(Math.abs(step)) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/**
 * The sum of the steps that keep their sign has a distribution symmetric about half of all steps, and an arrangement
 * is as far out as that sum is from the middle. Of n steps of one size a binomial number keeps it, so that there is one
 * convolution a size and not one a step: 20,000 tasks of 10 rollouts took 230 ms, and take 28.
 */
function fromSteps(steps: readonly number[]): SignFlip {
  const observed = Math.abs(steps.reduce((total, step) => total + step, 0));
  const sizes = bySize(steps);
  const span = steps.reduce((total, step) => total + Math.abs(step), 0);
  let [farther, asFar, dropped] = [0, 0, 1];
  for (const nothing of NOTHING) {
    if (dropped > NEGLIGIBLE * (farther + asFar)) {
      ({ farther, asFar, dropped } = tailsOf(sizes, { observed, span, nothing }));
    }
  }
  return { p: Math.min(1, farther + asFar), midP: Math.min(1, farther + asFar / 2), method: "exact" };
}

/** Mass from `first` on, one entry a step. */
interface Pmf {
  first: number;
  mass: Float64Array;
}

function tailsOf(
  sizes: ReadonlyMap<number, number>,
  { observed, span, nothing }: { observed: number; span: number; nothing: number },
): { farther: number; asFar: number; dropped: number } {
  let sum: Pmf = { first: 0, mass: Float64Array.of(1) };
  let dropped = 0;
  const trimmed = ({ first, mass }: Pmf): Pmf => {
    let [low, high] = [0, mass.length];
    while (mass[low]! < nothing) dropped += mass[low++]!;
    while (mass[high - 1]! < nothing) dropped += mass[--high]!;
    return { first: first + low, mass: mass.subarray(low, high) };
  };
  for (const [size, n] of sizes) sum = trimmed(plus(sum, trimmed(keptOf(n)), size));
  let farther = 0;
  let asFar = 0;
  for (let i = 0; i < sum.mass.length; i++) {
    const distance = Math.abs(2 * (sum.first + i) - span);
    if (distance > observed) farther += sum.mass[i]!;
    else if (distance === observed) asFar += sum.mass[i]!;
  }
  return { farther, asFar, dropped };
}

/** How many of n keep their sign, to the last digit up to 50: from the end, or where that is no number from the middle. */
function keptOf(n: number): Pmf {
  const mass = new Float64Array(n + 1);
  const from = n <= 1000 ? 0 : Math.floor(n / 2);
  mass[from] = from === 0 ? 2 ** -n : binomialTerm(from, n - from, 0.5, 0.5);
  for (let i = from; i > 0; i--) mass[i - 1] = (mass[i]! * i) / (n - i + 1);
  for (let i = from; i < n; i++) mass[i + 1] = (mass[i]! * (n - i)) / (i + 1);
  return { first: 0, mass };
}

function plus({ first, mass }: Pmf, kept: Pmf, size: number): Pmf {
  const total = new Float64Array(mass.length + (kept.mass.length - 1) * size);
  for (let j = 0; j < kept.mass.length; j++) {
    const weight = kept.mass[j]!;
    const shift = j * size;
    for (let i = 0; i < mass.length; i++) total[shift + i]! += weight * mass[i]!;
  }
  return { first: first + kept.first * size, mass: total };
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
