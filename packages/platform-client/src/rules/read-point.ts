import { POINT_KEYS_MAX } from "../contract/caps.ts";
import type { TrainPoint } from "../contract/points.ts";

/** A point of a curve with nothing in it but numbers. */
export interface ReadPoint {
  step: number;
  /** Seconds since 1970; null when the sender did not say. */
  ts: number | null;
  /** Series to value; null is a gap that was sent as one. */
  values: Map<string, number | null>;
  /** Values left out: no finite numbers, or more than a point may carry. */
  dropped: number;
}

/**
 * What a point says: finite numbers under the names they came with, and gaps. NaN and infinities become gaps that are
 * counted; texts, booleans and objects are left out and counted. A point that says nothing still marks its step.
 */
export function readPoint({ step, ts, ...series }: TrainPoint): ReadPoint {
  const values = new Map<string, number | null>();
  let dropped = 0;
  for (const [name, value] of Object.entries(series)) {
    if (values.size >= POINT_KEYS_MAX) dropped++;
    else if (value === null || value === undefined) values.set(name, null);
    else if (typeof value !== "number") dropped++;
    else if (Number.isFinite(value)) values.set(name, value);
    else {
      values.set(name, null);
      dropped++;
    }
  }
  return { step, ts: typeof ts === "number" && Number.isFinite(ts) ? ts : null, values, dropped };
}
