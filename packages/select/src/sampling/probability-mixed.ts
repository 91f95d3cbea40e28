import { numberIn, wholeNumber } from "../options.ts";

/**
 * The chance that a group of `size` rollouts of a task of pass rate `p` holds both a pass and a failure, which is what
 * a grouped method learns from: 1 - p^G - (1 - p)^G. A hard task is mixed often enough when the group is large: 0.05
 * more than half of the time at 16.
 *
 * @throws SelectError `bad_option`
 */
export function probabilityMixed(p: number, size: number): number {
  numberIn("p", p, 0, 1);
  wholeNumber("size", size, 1);
  return Math.max(0, 1 - p ** size - (1 - p) ** size);
}
