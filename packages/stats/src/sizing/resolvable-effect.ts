import { BASE_PASS_RATE, MIN_HOLDOUT_TASKS, PROVE_EFFECT } from "../constants.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { type HoldoutSize, type HoldoutSizeOptions, type HoldoutWarningCode, holdoutSize } from "./holdout-size.ts";
import { pairedTPower } from "./paired-t-power.ts";
import { pairedTaskSd } from "./task-sd.ts";

export type ResolvableEffectOptions = Omit<HoldoutSizeOptions, "inference" | "guards">;

/** What a set of a given size can show: `holdoutSize` read the other way round. */
export interface ResolvableEffect {
  nTasks: number;
  /** Smallest gain that these tasks show with the wanted power; null when the base leaves no room for it. */
  effect: number | null;
  base: number;
  k: number;
  power: number;
  alpha: number;
  /** Standard deviation of a task's difference at that gain; null without one. */
  taskStd: number | null;
  sdSource: HoldoutSize["sdSource"];
  /** Tasks behind a measured spread. */
  nPaired: number | null;
  /** The base or the rows cannot size a set; `effect` is then of a set with a base of 0.60. */
  saturated: boolean;
  warnings: Warning<HoldoutWarningCode>[];
}

/** A gain is found to this. */
const STEP = 1e-9;

/**
 * The smallest gain that `nTasks` tasks show, by the paired t test, from what `holdoutSize` goes by: rows of both arms, a
 * known spread, or the model. A set sized by `holdoutSize` for a gain shows that gain.
 *
 * @throws StatsError `bad_count` under two tasks, and as `holdoutSize`
 */
export function resolvableEffect(nTasks: number, options: ResolvableEffectOptions = {}): ResolvableEffect {
  if (!Number.isSafeInteger(nTasks) || nTasks < MIN_HOLDOUT_TASKS) {
    throw new StatsError(
      "bad_count",
      `The number of tasks is ${nTasks}.`,
      `Pass a whole number, ${MIN_HOLDOUT_TASKS} or more.`,
    );
  }
  // Any gain that fits: what is wanted is what the answer rests on.
  const room = 1 - (options.base ?? BASE_PASS_RATE);
  const basis = holdoutSize(room > 0 ? Math.min(PROVE_EFFECT, room / 2) : PROVE_EFFECT, options);
  const { base, k, power, alpha, sdSource, nPaired, saturated, warnings } = basis;
  const from = saturated ? BASE_PASS_RATE : base;
  const sdOf = (effect: number) => (sdSource === "model" ? pairedTaskSd(from, effect, k) : basis.taskStd);
  // From never to always there is no spread, and nothing to overlook.
  const isShown = (effect: number) => sdOf(effect) === 0 || pairedTPower(nTasks, sdOf(effect), effect, alpha) >= power;
  let [low, high] = [0, 1 - from];
  const isAny = high > 0 && isShown(high);
  while (isAny && high - low > STEP) {
    const middle = (low + high) / 2;
    if (isShown(middle)) high = middle;
    else low = middle;
  }
  const effect = isAny ? high : null;
  return {
    nTasks,
    effect,
    ...{ base, k, power, alpha },
    taskStd: effect === null ? null : sdOf(effect),
    ...{ sdSource, nPaired, saturated, warnings },
  };
}
