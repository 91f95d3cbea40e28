import type { Interval } from "../interval/interval.ts";

/** After minus before, as shares in [-1, 1]. */
export interface RateDifference {
  delta: number;
  ci95: Interval;
}
