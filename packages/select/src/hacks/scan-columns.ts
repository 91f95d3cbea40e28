import { compareCodePoints, type Row } from "@while/schema";
import { type Column, withoutCopies } from "./column.ts";
import { handFeatures } from "./hand-features.ts";
import type { ScanSettings } from "./scan-options.ts";
import { scanText } from "./scan-text.ts";
import { autoTerms, termsOf } from "./scan-tokens.ts";

export interface ScannedRows {
  columns: Column[];
  /** Of each row, equal for rollouts that are alike in everything that is scanned. */
  profiles: string[];
}

/**
 * The features of rows as columns over their places, hand features first: without those that too few rows have, and
 * one of each set of equal ones.
 */
export function scanColumns(rows: readonly Row[], groupOf: Int32Array, settings: ScanSettings): ScannedRows {
  const texts = rows.map(scanText);
  const hand = rows.map((row, i) => handFeatures(row, { text: texts[i]!, own: settings.features }));
  const profiles = texts.map((text, i) =>
    JSON.stringify([text, [...hand[i]!].sort(([a], [b]) => compareCodePoints(a, b))]),
  );
  const columns = [...handColumns(hand, groupOf, settings), ...(settings.auto ? termColumns(texts, settings) : [])];
  const enough = columns.filter(
    ({ at }) => at.length >= settings.minObs && (settings.rules === "compat" || isSpread(at, rows.length, settings)),
  );
  return { columns: withoutCopies(enough), profiles };
}

/** Columns of numbers vary wherever they stand; a column of ones has to be missing somewhere. */
function isSpread(at: Int32Array, n: number, { minMissing }: ScanSettings): boolean {
  return at.length === n || n - at.length >= minMissing;
}

function handColumns(
  rows: readonly ReadonlyMap<string, number>[],
  groupOf: Int32Array,
  { rules }: ScanSettings,
): Column[] {
  const names = new Set(rows.flatMap((features) => [...features.keys()]));
  const columns: Column[] = [];
  for (const name of names) {
    const values = Float64Array.from(rows, (features) => features.get(name) ?? Number.NaN);
    const nMissing = values.reduce((n, value) => n + Number(Number.isNaN(value)), 0);
    // A tool that was not called, a flag that did not fire: their absence is 0. A marker or a log-probability that is
    // absent was not measured, and says nothing.
    const isAbsence = /^(?:tool|trace):/.test(name);
    if (rules === "strict" && nMissing > 0 && !isAbsence) {
      columns.push(fromValues(name, withoutMissing(values, groupOf)));
      columns.push(
        fromValues(
          `missing:${name}`,
          values.map((value) => Number(Number.isNaN(value))),
        ),
      );
    } else columns.push(fromValues(name, values));
  }
  return columns;
}

/** Missing values as the mean of those of their ask, where they say nothing; as 0 in an ask without any. */
function withoutMissing(values: Float64Array, groupOf: Int32Array): Float64Array {
  const sums = new Map<number, { sum: number; n: number }>();
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const seen = sums.get(groupOf[i]!) ?? { sum: 0, n: 0 };
    sums.set(groupOf[i]!, { sum: seen.sum + value, n: seen.n + 1 });
  }
  return values.map((value, i) => {
    if (!Number.isNaN(value)) return value;
    const seen = sums.get(groupOf[i]!);
    return seen === undefined ? 0 : seen.sum / seen.n;
  });
}

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
    tier: "hand",
  };
}

function termColumns(texts: readonly string[], { topK, minObs, minMissing }: ScanSettings): Column[] {
  const terms = autoTerms(texts, { topK, minObs, minMissing });
  const places = new Map<string, number[]>(terms.map((term) => [term, []]));
  for (const [i, text] of texts.entries()) for (const term of termsOf(text)) places.get(term)?.push(i);
  return terms.map((term) => ({
    name: `contains:${term}`,
    aliases: [],
    at: Int32Array.from(places.get(term)!),
    values: null,
    tier: "auto",
  }));
}
