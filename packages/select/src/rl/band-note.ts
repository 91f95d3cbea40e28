import { formatFixed } from "@while/schema";
import { DIFFICULTY_BAND_ROLLOUTS } from "@while/stats";
import type { StampedTask } from "../calibration/carry-calibration.ts";
import { median } from "../median.ts";

/** How much the rates that place tasks in the band can be trusted. */
export interface BandPrecision {
  /** Median number of graded rollouts of the stamped tasks. */
  medianN: number;
  /** Median half-width of their intervals; null when no task has one. */
  medianHalfWidth: number | null;
}

/** null without stamped tasks. */
export function bandPrecision(tasks: readonly StampedTask[]): BandPrecision | null {
  if (tasks.length === 0) return null;
  const halfWidths = tasks.flatMap(({ passRateCi95: ci }) => (ci === null ? [] : [(ci[1] - ci[0]) / 2]));
  return {
    medianN: median(tasks.map(({ n }) => n)),
    medianHalfWidth: halfWidths.length === 0 ? null : median(halfWidths),
  };
}

/** The sentence on too few rollouts, or null when there are enough of them or nothing to say it about. */
export function bandNote(tasks: readonly StampedTask[]): string | null {
  const precision = bandPrecision(tasks);
  if (precision === null || precision.medianN >= DIFFICULTY_BAND_ROLLOUTS || precision.medianHalfWidth === null) {
    return null;
  }
  return (
    `Pass rates rest on a median of ${precision.medianN} rollouts a task: a task's place in the band can be off by ` +
    `${formatFixed(precision.medianHalfWidth, 1)}. Sample with repeats=${DIFFICULTY_BAND_ROLLOUTS}.`
  );
}
