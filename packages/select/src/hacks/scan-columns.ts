import { type Column, withoutCopies } from "./column.ts";
import type { FeatureNames, RowContent } from "./row-content.ts";
import type { ScanSettings } from "./scan-options.ts";
import { termPostings } from "./scan-tokens.ts";

/** Begins the name of the column of rows in which a feature was not measured. */
export const MISSING = "missing:";

/**
 * The features of rows as columns over their places, hand features first: without those that too few rows have, and
 * one of each set of equal ones.
 */
export function scanColumns(
  rows: readonly RowContent[],
  names: FeatureNames,
  groupOf: Int32Array,
  settings: ScanSettings,
): Column[] {
  const columns = [
    ...handColumns(rows, names, groupOf, settings),
    ...(settings.auto ? termColumns(rows, settings) : []),
  ];
  const enough = columns.filter(
    ({ at, nObs }) => nObs >= settings.minObs && (settings.rules === "compat" || isSpread(at, rows.length, settings)),
  );
  return withoutCopies(enough);
}

/** Columns of numbers vary wherever they stand; a column of ones has to be missing somewhere. */
function isSpread(at: Int32Array, n: number, { minMissing }: ScanSettings): boolean {
  return at.length === n || n - at.length >= minMissing;
}

function handColumns(
  rows: readonly RowContent[],
  names: FeatureNames,
  groupOf: Int32Array,
  { rules }: ScanSettings,
): Column[] {
  const columns: Column[] = [];
  for (const { name, number } of names.sorted()) {
    const values = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) values[i] = rows[i]!.features[number] ?? Number.NaN;
    const isMissing = values.map((value) => Number(Number.isNaN(value)));
    const measured = fromValues(name, values);
    // A tool that was not called, a flag that did not fire: their absence is 0. A marker or a log-probability that is
    // absent was not measured, and says nothing.
    const isAbsence = /^(?:tool|trace):/.test(name);
    if (rules === "strict" && !isAbsence && isMissing.includes(1)) {
      columns.push({ ...fromValues(name, withoutMissing(values, groupOf)), nObs: measured.nObs });
      columns.push(fromValues(MISSING + name, isMissing));
    } else columns.push(measured);
  }
  return columns;
}

/** Missing values as the mean of those of their ask, or of all rows in an ask without any, where they say nothing. */
function withoutMissing(values: Float64Array, groupOf: Int32Array): Float64Array {
  const all = { sum: 0, n: 0 };
  const sums = new Map<number, { sum: number; n: number }>();
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const seen = sums.get(groupOf[i]!) ?? { sum: 0, n: 0 };
    sums.set(groupOf[i]!, { sum: seen.sum + value, n: seen.n + 1 });
    all.sum += value;
    all.n++;
  }
  return values.map((value, i) => {
    if (!Number.isNaN(value)) return value;
    const { sum, n } = sums.get(groupOf[i]!) ?? all;
    return sum / n;
  });
}

/** Not a number is as good as 0. */
function fromValues(name: string, values: Float64Array): Column {
  const at: number[] = [];
  let onlyOnes = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value === 0 || Number.isNaN(value)) continue;
    at.push(i);
    if (value !== 1) onlyOnes = false;
  }
  const places = Int32Array.from(at);
  return {
    name,
    aliases: [],
    at: places,
    values: onlyOnes ? null : Float64Array.from(places, (i) => values[i]!),
    nObs: at.length,
    tier: "hand",
  };
}

function termColumns(rows: readonly RowContent[], { topK, minObs, minMissing, rules }: ScanSettings): Column[] {
  const texts = rows.map(({ text }) => text);
  return termPostings(texts, { topK, minObs, minMissing, wordsFirst: rules === "strict" }).map(({ term, at }) => ({
    name: `contains:${term}`,
    aliases: [],
    at,
    values: null,
    nObs: at.length,
    tier: "auto",
  }));
}
