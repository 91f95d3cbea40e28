import { wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";

export interface GroupGradientWeight {
  /** Mean squared advantage without division by a deviation (Dr. GRPO): p (1 - p). */
  centeredMeanSquare: number;
  /** The same after division by the group's deviation (GRPO): 1 of every mixed group, 0 of a unanimous one. */
  standardizedMeanSquare: number;
  /** The largest advantage after division: what one rare pass weighs. */
  largestStandardizedAdvantage: number;
}

/**
 * How much a group of `k` rollouts with `passes` passes pushes on the policy, by the baseline that the trainer uses.
 * Dividing by the deviation makes every mixed group push alike, so a task passed once in eight has one advantage of
 * 2.65 (Shao et al. 2024, arXiv:2402.03300); without it the middle of the band leads by itself (Liu et al. 2025,
 * arXiv:2503.20783).
 *
 * @throws SelectError `bad_option`
 */
export function groupGradientWeight(passes: number, k: number): GroupGradientWeight {
  wholeNumber("k", k, 1);
  wholeNumber("passes", passes, 0);
  if (passes > k) {
    throw new SelectError("bad_option", `passes is ${passes} of ${k}.`, "Count the passes among the k rollouts.");
  }
  const p = passes / k;
  const variance = p * (1 - p);
  if (variance === 0) return { centeredMeanSquare: 0, standardizedMeanSquare: 0, largestStandardizedAdvantage: 0 };
  return {
    centeredMeanSquare: variance,
    standardizedMeanSquare: 1,
    largestStandardizedAdvantage: (1 - p) / Math.sqrt(variance),
  };
}
