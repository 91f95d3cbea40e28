import { StatsError } from "../stats-error.ts";

/**
 * Standard deviation of a task's difference between two arms that share the task and nothing else, every task gaining
 * alike: √((p(1-p) + q(1-q)) / k) with q = min(1, p + effect).
 *
 * @param base Pass rate before
 * @param k Rollouts of a task on each arm; the harmonic mean where they differ
 * @throws StatsError `bad_value`
 */
export function pairedTaskSd(base: number, effect: number, k: number): number {
  checkModel(base, effect, k);
  const after = Math.min(1, base + effect);
  return Math.sqrt((base * (1 - base) + after * (1 - after)) / k);
}

/**
 * The same when the gain sits in few tasks: a share of them comes to pass always, the others stay as they are. Wider,
 * so that a set sized for an even gain can miss this one.
 *
 * @throws StatsError `bad_value`
 */
export function concentratedTaskSd(base: number, effect: number, k: number): number {
  checkModel(base, effect, k);
  const gain = Math.min(1 - base, effect);
  if (gain <= 0) return pairedTaskSd(base, effect, k);
  const share = gain / (1 - base);
  const spread = base * (1 - base);
  return Math.sqrt(((1 - share) * 2 * spread + share * spread) / k + (gain ** 2 * (1 - share)) / share);
}

function checkModel(base: number, effect: number, k: number): void {
  if (!(base >= 0 && base <= 1)) {
    throw new StatsError("bad_value", `The base pass rate is ${base}.`, "Pass a share from 0 to 1.");
  }
  if (!(effect >= 0 && effect <= 1)) {
    throw new StatsError("bad_value", `The effect is ${effect}.`, "Pass a gain from 0 to 1, 0.05 for five points.");
  }
  if (!(k > 0 && Number.isFinite(k))) {
    throw new StatsError("bad_value", `k is ${k}.`, "Pass the rollouts a task, 1 or more.");
  }
}
