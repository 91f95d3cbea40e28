import type { Row } from "@while/schema";
import { binaryReward, MersenneTwister } from "@while/stats";

/**
 * Rows with a verdict of 0 or 1, in their order: all of them, or a draw without replacement (Mersenne Twister) of `sample`.
 *
 * @param byVerdict As many of either verdict, so that a lenient judge's few failed rows are all in: those are what an
 *   exploit can turn
 */
export function gradedSample(
  rows: readonly Row[],
  { sample, seed, byVerdict }: { sample: number; seed: number; byVerdict: boolean },
): Row[] {
  const graded = rows.filter((row) => binaryReward(row) !== null);
  const random = new MersenneTwister(seed);
  const draw = (from: readonly Row[]) => (from.length <= sample ? from : random.shuffle(from).slice(0, sample));
  const drawn = byVerdict
    ? new Set([0, 1].flatMap((verdict) => draw(graded.filter((row) => binaryReward(row) === verdict))))
    : new Set(draw(graded));
  return graded.filter((row) => drawn.has(row));
}
