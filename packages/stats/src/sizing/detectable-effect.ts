import { checkOptions, roundHalfEven } from "@while/schema";
import { ALPHA, BASE_PASS_RATE, MIN_HOLDOUT_TASKS, POWER, ROLLOUTS_PER_TASK } from "../constants.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { StatsError } from "../stats-error.ts";
import { checkPower, type PowerOptions } from "./power-options.ts";
import { pairedTaskSd } from "./task-sd.ts";

export interface DetectableEffectOptions extends PowerOptions {
  /** Pass rate before. */
  base?: number;
  /** Rollouts a task on each arm. */
  k?: number;
}

const OPTIONS = ["base", "k", "power", "alpha"];

/**
 * The smallest gain that a set of `nTasks` proves, by the model of `pairedTaskSd`, to four decimals. It may be more than
 * base leaves to gain: then the set proves none.
 *
 * @returns null under two tasks
 * @throws StatsError `bad_count`, `bad_value`, `bad_probability`, `bad_option`
 */
export function detectableEffect(nTasks: number, options: DetectableEffectOptions = {}): number | null {
  const effect = detectableEffectClosed(nTasks, options);
  return effect === null ? null : roundHalfEven(Math.min(1, effect), 4);
}

/**
 * The same unrounded: the positive root of (nk/z² + 1) e² - (1 - 2p) e - 2p(1-p) = 0, or z √(p(1-p) / nk) where that
 * gain reaches a pass rate of 1. The Python SDK iterates from 0, which never leaves 0 at a base of 0 and has not
 * converged after its twelve steps on ten tasks of one rollout (0.4667 for 0.4689).
 */
export function detectableEffectClosed(nTasks: number, options: DetectableEffectOptions = {}): number | null {
  checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
  const { base = BASE_PASS_RATE, k = ROLLOUTS_PER_TASK, power = POWER, alpha = ALPHA } = options;
  checkPower({ power, alpha });
  pairedTaskSd(base, 0, k);
  if (!Number.isSafeInteger(nTasks) || nTasks < 0) {
    throw new StatsError("bad_count", `The number of tasks is ${nTasks}.`, "Pass a whole number, 0 or more.");
  }
  if (nTasks < MIN_HOLDOUT_TASKS) return null;
  const z = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  // At a power below alpha/2 any gain is "found" that often.
  if (z <= 0) return 0;
  const a = (nTasks * k) / z ** 2 + 1;
  const b = 1 - 2 * base;
  const root = (b + Math.sqrt(b * b + 8 * a * base * (1 - base))) / (2 * a);
  return base + root > 1 ? z * Math.sqrt((base * (1 - base)) / (nTasks * k)) : root;
}
