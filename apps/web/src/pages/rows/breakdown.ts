import type { RowsSummary } from "@while/platform-client/contract";
import { compareCodePoints } from "@while/schema";

/** Rows of one value of a tag, with Wilson's interval on the share that passed. */
export interface ValueShare {
  value: string;
  n: number;
  failed: number;
  /** 0 to 1. */
  share: number;
  low: number | null;
  high: number | null;
  /** Where the interval misses the share of the whole run. */
  claim: "below" | "above" | null;
  /** Too few to read anything from. */
  few: boolean;
}

/** One tag and its values. */
export interface TagTable {
  key: string;
  values: readonly ValueShare[];
}

/** Under that many rows a share is marked as one of few. */
export const FEW = 5;

/** One value of a tag as it is drawn. `overall` is the share of the whole run that passed; null without rows. */
export function valuesOf(counts: RowsSummary["byTag"][string], overall: number | null): ValueShare[] {
  return (
    Object.entries(counts)
      .map(([value, { n, passed, lo, hi }]): ValueShare => {
        const claim = overall === null || lo === null || hi === null ? null : claimOf(lo, hi, overall);
        return {
          ...{ value, n, failed: n - passed, share: n === 0 ? 0 : passed / n, low: lo, high: hi },
          few: n < FEW,
          claim: n < FEW ? null : claim,
        };
      })
      // Sorted again: an object puts its keys that are whole numbers first.
      .sort((a, b) => b.failed - a.failed || compareCodePoints(a.value, b.value))
  );
}

function claimOf(low: number, high: number, overall: number): ValueShare["claim"] {
  return high < overall ? "below" : low > overall ? "above" : null;
}

/** Lower end of the scale that all tables share: a round tenth under the lowest interval and the run's own share. */
export function scaleFrom(tables: readonly TagTable[], overall: number | null): number {
  const lows = tables.flatMap(({ values }) => values.filter(({ few }) => !few).map(({ low, share }) => low ?? share));
  const lowest = Math.min(1, overall ?? 1, ...lows);
  return Math.max(0, Math.min(0.9, Math.floor(lowest * 10 + 1e-9) / 10));
}

/** The value that holds the most failures of those whose share is clearly under the run's: where to look first. */
export function worstGroup(tables: readonly TagTable[]): { key: string; value: ValueShare } | null {
  let worst: { key: string; value: ValueShare } | null = null;
  for (const { key, values } of tables) {
    for (const value of values) {
      if (value.claim === "below" && (worst === null || value.failed > worst.value.failed)) worst = { key, value };
    }
  }
  return worst;
}
