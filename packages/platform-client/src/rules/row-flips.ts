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

/**
 * Which rows of one version passed or failed where those of another did not. An ask that was answered several times is
 * paired in the order of its answers; the test then takes each pair for a task of its own, and `compareRuns` of
 * `@while/stats` does not.
 */
export function rowFlips(before: readonly Example[], after: readonly Example[]): RowFlips {
  const waiting = new Map<string, number[]>();
  for (const [place, row] of before.entries()) waiting.set(keyOf(row), [...(waiting.get(keyOf(row)) ?? []), place]);
  const flips: RowFlips = {
    ...{ paired: 0, unpairedBefore: 0, unpairedAfter: 0, bothPassed: 0, bothFailed: 0 },
    ...{ fixed: [], broke: [], p: null },
  };
  for (const [place, row] of after.entries()) {
    const other = waiting.get(keyOf(row))?.shift();
    if (other === undefined) {
      flips.unpairedAfter++;
      continue;
    }
    flips.paired++;
    const passed = before[other]!.ok;
    if (passed && row.ok) flips.bothPassed++;
    else if (!passed && !row.ok) flips.bothFailed++;
    else if (passed) flips.broke.push([other, place]);
    else flips.fixed.push([other, place]);
  }
  flips.unpairedBefore = before.length - flips.paired;
  if (flips.paired > 0) flips.p = mcnemarExact(flips.broke.length, flips.fixed.length);
  return flips;
}

function keyOf({ prompt, reference }: Example): string {
  return JSON.stringify([prompt ?? null, reference ?? null]);
}
