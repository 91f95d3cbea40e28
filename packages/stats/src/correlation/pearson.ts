import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/** Fewest points a correlation is read from. */
const MIN_POINTS = 3;
/** A spread this small beside the values is their rounding: 0.1 + 0.2 against 0.3. */
export const ROUNDING: number = 2 ** -50;

/**
 * Pearson's correlation, centred first and then summed, so that a large offset costs no digits.
 *
 * @returns -1 to 1; null under three points, for lists of two lengths, and when a side is constant
 * @throws StatsError `bad_value` for a value that is not finite
 */
export function pearson(x: readonly number[], y: readonly number[]): number | null {
  if (x.length !== y.length || x.length < MIN_POINTS) return null;
  const meanX = mean(x)!;
  const meanY = mean(y)!;
  const dx = x.map((value) => value - meanX);
  const dy = y.map((value) => value - meanY);
  const [largestX, largestY] = [x, y].map(largest) as [number, number];
  if (largest(dx) <= ROUNDING * largestX || largest(dy) <= ROUNDING * largestY) return null;
  const spreadX = Math.sqrt(sum(dx.map((d) => d * d)));
  const spreadY = Math.sqrt(sum(dy.map((d) => d * d)));
  const r = sum(dx.map((d, i) => (d / spreadX) * (dy[i]! / spreadY)));
  return Math.min(1, Math.max(-1, r));
}

function largest(values: readonly number[]): number {
  let size = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) {
      throw new StatsError("bad_value", `pearson got the value ${value}.`, "Leave out what was not measured.");
    }
    size = Math.max(size, Math.abs(value));
  }
  return size;
}
