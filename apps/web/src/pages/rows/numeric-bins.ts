import type { RowsSummary } from "@while/platform-client/contract";
import { NO_TAG, numericTag } from "@while/platform-client/rules";
import { wilsonInterval } from "@while/stats";
import { type ValueShare, valuesOf } from "./breakdown.ts";
import type { Range } from "./row-filters.ts";

/** More values than that are read as a measure, and not one by one. */
const MANY = 12;
/** Stretches that a measure is drawn in. */
const BINS = 6;

/** Rows whose tag lies in one stretch of numbers. */
interface NumberBin extends ValueShare {
  range: Range & { min: number; max: number };
}

export interface NumberBins {
  /** From the smallest numbers to the largest. */
  bins: NumberBin[];
  /** Rows without the tag; null where all have it. */
  without: ValueShare | null;
}

/** Is a tag a measure: are all its values numbers, and more of them than are read one by one? */
export function isMeasure(counts: RowsSummary["byTag"][string]): boolean {
  const values = Object.keys(counts).filter((value) => value !== NO_TAG);
  return values.length > MANY && values.every((value) => numericTag(value) !== null);
}

/** The least and the most of the numbers among the values of a tag. */
export function measureEnds(counts: RowsSummary["byTag"][string]): { min: number; max: number } {
  const numbers = Object.keys(counts).flatMap((value) => numericTag(value) ?? []);
  return {
    min: numbers.reduce((a, b) => Math.min(a, b), Infinity),
    max: numbers.reduce((a, b) => Math.max(a, b), -Infinity),
  };
}

/**
 * The values of a measure in stretches of about as many rows each, in their order: unlike the values of a word, numbers
 * that lie side by side mean about the same. Rows of one number stay together.
 */
export function numberBins(counts: RowsSummary["byTag"][string], overall: number | null): NumberBins {
  const values = Object.entries(counts)
    .filter(([value]) => value !== NO_TAG)
    .map(([value, { n, passed }]) => ({ number: numericTag(value)!, n, passed }))
    .sort((a, b) => a.number - b.number);
  const rows = values.reduce((sum, { n }) => sum + n, 0);
  const bins: NumberBin[] = [];
  let before = 0;
  for (let from = 0; from < values.length; ) {
    const first = values[from]!.number;
    const whole = { n: 0, passed: 0 };
    let last = first;
    // A stretch ends where its share of the rows is reached; the same number written in two ways is one number.
    const reach = ((bins.length + 1) * rows) / BINS;
    do {
      const { number, n, passed } = values[from]!;
      last = number;
      whole.n += n;
      whole.passed += passed;
      from += 1;
    } while (from < values.length && (before + whole.n < reach || values[from]!.number === last));
    before += whole.n;
    bins.push(binOf(first, last, whole, overall));
  }
  const lacking = Object.hasOwn(counts, NO_TAG) ? valuesOf({ [NO_TAG]: counts[NO_TAG]! }, overall)[0]! : null;
  return { bins, without: lacking };
}

function binOf(
  min: number,
  max: number,
  { n, passed }: { n: number; passed: number },
  overall: number | null,
): NumberBin {
  const [lo, hi] = wilsonInterval(passed, n)!;
  const value = min === max ? String(min) : `${min} to ${max}`;
  return { ...valuesOf({ [value]: { n, passed, lo, hi } }, overall)[0]!, range: { min, max } };
}
