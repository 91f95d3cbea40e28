import { type ExactP, mcnemarExact } from "@while/stats";
import type { Example } from "../contract/scores.ts";

/** The same asks before and after: which changed sides. */
export interface RowFlips {
  /** Asks that both sides have, told apart by prompt and reference. */
  paired: number;
  unpairedBefore: number;
  unpairedAfter: number;
  bothPassed: number;
  bothFailed: number;
  /** Failed before and passed after: places in the two lists. */
  fixed: [before: number, after: number][];
  /** Passed before and failed after. */
  broke: [before: number, after: number][];
  /** Exact McNemar test of `fixed` against `broke`; null when nothing is paired. */
  p: ExactP | null;
}

/** A row that is compared: what it asks, and whether it passed. */
export interface KeyedRow {
  /** The same for the same ask. */
  key: string;
  ok: boolean;
}

type Pair = [before: number, after: number];

/** Pairs by what became of them: places in the two lists. */
export interface RowPairs {
  paired: number;
  unpairedBefore: number;
  unpairedAfter: number;
  pairs: Record<"bothPassed" | "bothFailed" | "fixed" | "broke", Pair[]>;
  /** Exact McNemar test of `fixed` against `broke`; null when nothing is paired. */
  p: ExactP | null;
}

/**
 * Pairs rows of the same ask. One that was answered several times is paired in the order of its answers; the test then
 * takes each pair for a task of its own, and `rowDifference` does not.
 */
export function pairRows(before: readonly KeyedRow[], after: readonly KeyedRow[]): RowPairs {
  const waiting = new Map<string, number[]>();
  for (const [place, { key }] of before.entries()) {
    const places = waiting.get(key);
    if (places === undefined) waiting.set(key, [place]);
    else places.push(place);
  }
  const taken = new Map<string, number>();
  const pairs: RowPairs["pairs"] = { bothPassed: [], bothFailed: [], fixed: [], broke: [] };
  let paired = 0;
  for (const [place, { key, ok }] of after.entries()) {
    const next = taken.get(key) ?? 0;
    const other = waiting.get(key)?.[next];
    if (other === undefined) continue;
    taken.set(key, next + 1);
    paired++;
    const passed = before[other]!.ok;
    const kind = passed ? (ok ? "bothPassed" : "broke") : ok ? "fixed" : "bothFailed";
    pairs[kind].push([other, place]);
  }
  return {
    ...{ paired, unpairedBefore: before.length - paired, unpairedAfter: after.length - paired, pairs },
    p: paired === 0 ? null : mcnemarExact(pairs.broke.length, pairs.fixed.length),
  };
}

/**
 * Which rows of one version passed or failed where those of another did not, by prompt and reference. Repeats are paired
 * as `pairRows` says; `compareRuns` of `@while/stats` does not take each for a task of its own.
 */
export function rowFlips(before: readonly Example[], after: readonly Example[]): RowFlips {
  const keyed = (rows: readonly Example[]) => rows.map((row): KeyedRow => ({ key: keyOf(row), ok: row.ok }));
  const { pairs, ...counts } = pairRows(keyed(before), keyed(after));
  const { bothPassed, bothFailed, fixed, broke } = pairs;
  return { ...counts, bothPassed: bothPassed.length, bothFailed: bothFailed.length, fixed, broke };
}

function keyOf({ prompt, reference }: Example): string {
  return JSON.stringify([prompt ?? null, reference ?? null]);
}
