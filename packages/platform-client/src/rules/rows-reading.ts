import type { StoredScore } from "../contract/scores.ts";
import { formatPoints, roundPoints } from "./number-format.ts";

/** What the graded rows behind a score say by themselves, in points of 100. */
export interface RowsReading {
  /** Share of rows that passed. */
  byRow: number;
  /** Mean over tasks of the share that passed: pass@1, where tasks have unequal numbers of rollouts. */
  byTask: number;
  /** Mean of the rows' own scores; null where a row has none. */
  byScore: number | null;
}

/** Points that a score may differ from its rows. */
export const ROWS_GAP = 1;

/** The reading of the rows that lies nearest to the posted score: which of the three was meant nobody says. */
export function nearestReading(score: number, { byRow, byTask, byScore }: RowsReading): number {
  const readings = [byTask, byRow, ...(byScore === null ? [] : [byScore])];
  return readings.reduce((best, one) => (Math.abs(one - score) < Math.abs(best - score) ? one : best));
}

/** Why a score and its rows do not belong together; null where they do, or nothing can be said. */
export function rowsDoubt({ score, rows, rowsExpected, rowsScore }: StoredScore): string | null {
  if (typeof rowsExpected === "number" && (rows ?? 0) < rowsExpected) {
    return `rows incomplete: ${rows ?? 0} of ${rowsExpected} arrived`;
  }
  if (typeof rowsScore !== "number" || Math.abs(rowsScore - score) <= ROWS_GAP) return null;
  return `its rows say ${formatPoints(rowsScore)} and not ${formatPoints(score)}: ${formatPoints(roundPoints(Math.abs(rowsScore - score)))} points apart`;
}
