import type { Row } from "@while/schema";
import { MersenneTwister } from "@while/stats";

/** So many of the rows without replacement (Mersenne Twister), in their order; all where there are no more. */
export function drawRows(rows: readonly Row[], sample: number, seed: number): Row[] {
  if (rows.length <= sample) return [...rows];
  // By place: one object may stand in the list twice.
  const places = new MersenneTwister(seed).shuffle(rows.map((_, i) => i)).slice(0, sample);
  return places.sort((a, b) => a - b).map((i) => rows[i]!);
}
