import { ALPHA, MIN_HOLDOUT_TASKS, POWER } from "../constants.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { StatsError } from "../stats-error.ts";
import { MANY_TASKS, pairedTPower } from "./paired-t-power.ts";
import { checkEffect, checkPower, type PowerOptions } from "./power-options.ts";

export interface HoldoutSizeT {
  nTasks: number;
  /** Power of the paired t test on that many tasks. */
  powerAtN: number;
  /** What the normal formula answers, which takes the spread for known. */
  nNormal: number;
}

/**
 * Tasks on which a paired t test finds `effect` with the wanted power: the spread has to be estimated from the same
 * tasks, which costs two of them, and more where few are needed.
 *
 * @param taskStd Standard deviation of a task's difference
 * @throws StatsError `bad_effect`, `bad_value`, `bad_probability`
 */
export function holdoutSizeT(
  taskStd: number,
  effect: number,
  { power = POWER, alpha = ALPHA }: PowerOptions = {},
): HoldoutSizeT {
  checkEffect(effect);
  checkPower({ power, alpha });
  if (!(taskStd > 0 && Number.isFinite(taskStd))) {
    throw new StatsError("bad_value", `taskStd is ${taskStd}.`, "Pass a standard deviation above 0.");
  }
  const nNormal = normalSize(taskStd, effect, { power, alpha });
  // On so many the two tests are one, and what is left of the difference is two tasks.
  if (nNormal > MANY_TASKS) return { nTasks: nNormal, powerAtN: power, nNormal };
  // The t test needs at least what the normal one does; two more are usually enough.
  let nTasks = nNormal;
  while (pairedTPower(nTasks, taskStd, effect, alpha) < power) nTasks++;
  return { nTasks, powerAtN: pairedTPower(nTasks, taskStd, effect, alpha), nNormal };
}

/** ⌈((z(1-alpha/2) + z(power)) · sd / effect)²⌉, at least two. */
export function normalSize(taskStd: number, effect: number, { power, alpha }: Required<PowerOptions>): number {
  // Below 0 the test finds the effect that often by false alarms alone.
  const z = Math.max(0, normalQuantile(1 - alpha / 2) + normalQuantile(power));
  const exact = ((z * taskStd) / effect) ** 2;
  return Math.max(MIN_HOLDOUT_TASKS, Math.ceil(exact - 1e-9));
}
