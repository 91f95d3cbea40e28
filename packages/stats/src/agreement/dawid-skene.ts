import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/** What one rater said of one item. */
export interface RaterLabel {
  /** Places, from 0. */
  item: number;
  rater: number;
  label: 0 | 1;
}

/** How one rater labels: what they call right of what is, and wrong of what is. */
export interface RaterRates {
  /** Labels given. */
  n: number;
  /** Chance of a 1 where the truth is 1, and of a 0 where it is 0. */
  sensitivity: number;
  specificity: number;
}

export interface DawidSkene {
  /** By place; a rater without a label has the rates of the prior, one half. */
  raters: RaterRates[];
  /** Chance that the truth is 1, for each item; the prevalence where nobody labeled it. */
  posteriors: number[];
  /** Share of items whose truth is 1. */
  prevalence: number;
  nIterations: number;
  /** Whether no posterior moved by more than 1e-7 at the end. */
  converged: boolean;
}

const MAX_ITERATIONS = 2000;
const TOLERANCE = 1e-7;
/** One right and one wrong label in advance: a rater with three labels is not sure to be right. */
const PRIOR = 1;

/**
 * The truth behind labels of raters who err, each at a rate of their own, and those rates: expectation-maximisation of
 * Dawid and Skene 1979 for two classes, from the shares of the votes. Rates and prevalence carry one label of each kind as
 * a prior, which keeps them off 0 and 1. Raters are taken to err independently where the truth is known: three who copy
 * one another are trusted three times.
 *
 * @param given Any number an item; a rater labels an item once
 * @throws StatsError `bad_value` for a place that is no whole number, a label that is not 0 or 1, or one given twice
 */
export function dawidSkene(given: readonly RaterLabel[]): DawidSkene {
  check(given);
  // Two labels that contradict one another balance on a point that a last digit decides: the order of labels must not.
  const labels = given.toSorted((a, b) => a.item - b.item || a.rater - b.rater);
  const nItems = labels.reduce((most, { item }) => Math.max(most, item + 1), 0);
  const nRaters = labels.reduce((most, { rater }) => Math.max(most, rater + 1), 0);
  let posteriors = sharesOfVotes(labels, nItems);
  let raters = ratesOf(labels, posteriors, nRaters);
  let prevalence = smoothed(sum(posteriors), nItems);
  let moved = Number.POSITIVE_INFINITY;
  let nIterations = 0;
  while (moved > TOLERANCE && nIterations < MAX_ITERATIONS) {
    const next = posteriorsOf(labels, { raters, prevalence, nItems });
    moved = next.reduce((most, value, i) => Math.max(most, Math.abs(value - posteriors[i]!)), 0);
    posteriors = next;
    raters = ratesOf(labels, posteriors, nRaters);
    prevalence = smoothed(sum(posteriors), nItems);
    nIterations++;
  }
  return { raters, posteriors, prevalence, nIterations, converged: moved <= TOLERANCE };
}

function check(labels: readonly RaterLabel[]): void {
  const seen = new Set<string>();
  for (const { item, rater, label } of labels) {
    const isPlace = [item, rater].every((place) => Number.isSafeInteger(place) && place >= 0);
    if (!isPlace || (label !== 0 && label !== 1)) {
      throw new StatsError(
        "bad_value",
        `dawidSkene got item ${item}, rater ${rater}, label ${String(label)}.`,
        "Pass places from 0 and labels of 0 or 1.",
      );
    }
    const key = `${item} ${rater}`;
    if (seen.has(key)) {
      throw new StatsError("bad_value", `Rater ${rater} labels item ${item} twice.`, "Pass the last label only.");
    }
    seen.add(key);
  }
}

function sharesOfVotes(labels: readonly RaterLabel[], nItems: number): number[] {
  const ones = new Float64Array(nItems);
  const votes = new Float64Array(nItems);
  for (const { item, label } of labels) {
    ones[item]! += label;
    votes[item]!++;
  }
  return Array.from(ones, (n, item) => (votes[item] === 0 ? 0.5 : n / votes[item]!));
}

function smoothed(hits: number, n: number): number {
  return (hits + PRIOR) / (n + 2 * PRIOR);
}

function ratesOf(labels: readonly RaterLabel[], posteriors: readonly number[], nRaters: number): RaterRates[] {
  const tallies = Array.from({ length: nRaters }, () => ({ n: 0, positives: 0, hits: 0, rejected: 0 }));
  for (const { item, rater, label } of labels) {
    const own = tallies[rater]!;
    const isTrue = posteriors[item]!;
    own.n++;
    own.positives += isTrue;
    own.hits += isTrue * label;
    own.rejected += (1 - isTrue) * (1 - label);
  }
  return tallies.map(({ n, positives, hits, rejected }) => ({
    n,
    sensitivity: smoothed(hits, positives),
    specificity: smoothed(rejected, n - positives),
  }));
}

/** By log odds: hundreds of votes on an item multiply to less than a double holds. */
function posteriorsOf(
  labels: readonly RaterLabel[],
  { raters, prevalence, nItems }: { raters: readonly RaterRates[]; prevalence: number; nItems: number },
): number[] {
  const odds = new Float64Array(nItems).fill(Math.log(prevalence / (1 - prevalence)));
  for (const { item, rater, label } of labels) {
    const { sensitivity, specificity } = raters[rater]!;
    odds[item]! += label === 1 ? Math.log(sensitivity / (1 - specificity)) : Math.log((1 - sensitivity) / specificity);
  }
  return Array.from(odds, (value) => 1 / (1 + Math.exp(-value)));
}
