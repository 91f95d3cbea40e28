import { checkOptions, formatFixed, formatPercent, type Row } from "@while/schema";
import { ALPHA, DIFFICULTY_BAND, MIN_HOLDOUT_TASKS, POWER, PROVE_EFFECT, THRESHOLD_SLACK } from "../constants.ts";
import { countOf } from "../count-of.ts";
import { checkInference, type Inference } from "../inference.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { mean } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import { detectableEffect } from "./detectable-effect.ts";
import { holdoutSize } from "./holdout-size.ts";
import { checkEffect, checkPower, type PowerOptions } from "./power-options.ts";
import { rateOf, rolloutsPerTask, taskRates } from "./task-rates.ts";
import { pairedTaskSd } from "./task-sd.ts";

export interface EvalPowerOptions extends PowerOptions {
  /** The gain the set is asked to prove. */
  effect?: number;
  /** Pass rates of tasks that can move either way. */
  band?: { readonly lo: number; readonly hi: number };
  inference?: Inference;
}

export type EvalPowerVerdict = "empty" | "floored" | "saturated" | "underpowered" | "usable";

export interface EvalPower {
  inference: Inference;
  verdict: EvalPowerVerdict;
  /** One sentence of why. */
  reason: string;
  effect: number;
  /** Tasks and rollouts graded 0 or 1. */
  nTasks: number;
  nRollouts: number;
  /** Rollouts a task; null without tasks, and so is what follows. */
  k: number | null;
  base: number | null;
  /** Standard deviation of the tasks' pass rates; null under two tasks. */
  taskSpread: number | null;
  /** Standard deviation of a task's difference by the model. */
  taskStd: number | null;
  /** Tasks in the band, that always pass, that always fail, with one rollout. */
  inBand: number;
  tiedPass: number;
  tiedFail: number;
  singleRollout: number;
  /** Smallest gain the set proves; null under two tasks. */
  resolvable: number | null;
  /** Tasks the gain needs; null where no number of such tasks would do. */
  nNeeded: number | null;
  notes: string[];
  warnings: string[];
}

const OPTIONS = ["effect", "power", "alpha", "band", "inference"];

/**
 * Can this eval prove a gain of `effect`? Asked of the rows of one agent, before anything is changed.
 *
 * @throws StatsError `bad_effect`, `bad_probability`, `bad_option`
 */
export function evalPower(rows: readonly Row[], options: EvalPowerOptions = {}): EvalPower {
  checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
  const { effect = PROVE_EFFECT, power = POWER, alpha = ALPHA, band = DIFFICULTY_BAND, inference = "strict" } = options;
  checkInference(inference);
  checkEffect(effect);
  checkPower({ power, alpha });
  const tasks = [...taskRates(rows, inference).values()];
  const rates = tasks.map(rateOf);
  const nTasks = tasks.length;
  const base = mean(rates);
  const k =
    base === null
      ? null
      : rolloutsPerTask(
          tasks.map(({ n }) => n),
          inference,
        );
  const model = base === null || k === null ? null : { base, k };
  const resolvable = model === null ? null : detectableEffect(nTasks, { ...model, power, alpha });
  const tiedFail = rates.filter((rate) => rate === 0).length;
  const verdict = verdictOf({ nTasks, tiedFail, base, resolvable, effect });
  const nNeeded =
    verdict === "empty" || verdict === "saturated"
      ? null
      : holdoutSize(effect, { before: rows, power, alpha, inference }).nTasks;
  const { reason, fix } = words(verdict, { nTasks, base, resolvable, effect, nNeeded });
  const single = tasks.filter(({ n }) => n === 1).length;
  return {
    inference,
    verdict,
    reason,
    effect,
    nTasks,
    nRollouts: tasks.reduce((total, { n }) => total + n, 0),
    k,
    base,
    taskSpread: sampleSd(rates),
    taskStd: model === null ? null : pairedTaskSd(model.base, effect, model.k),
    inBand: rates.filter((rate) => rate >= band.lo - THRESHOLD_SLACK && rate <= band.hi + THRESHOLD_SLACK).length,
    tiedPass: rates.filter((rate) => rate === 1).length,
    tiedFail,
    singleRollout: single,
    resolvable,
    nNeeded,
    notes:
      nTasks > 0 && single === nTasks ? ["one rollout a task: whether a task can move either way cannot be read"] : [],
    warnings: fix === "" ? [] : [`${reason}: ${fix}`],
  };
}

interface Measured {
  nTasks: number;
  base: number | null;
  resolvable: number | null;
  effect: number;
}

function verdictOf({ nTasks, tiedFail, base, resolvable, effect }: Measured & { tiedFail: number }): EvalPowerVerdict {
  if (base === null) return "empty";
  if (tiedFail === nTasks) return "floored";
  if (1 - base < effect - THRESHOLD_SLACK) return "saturated";
  return resolvable === null || resolvable > effect ? "underpowered" : "usable";
}

function words(
  verdict: EvalPowerVerdict,
  { nTasks, base, resolvable, effect, nNeeded }: Measured & { nNeeded: number | null },
): { reason: string; fix: string } {
  const gain = formatPercent(effect, 1);
  switch (verdict) {
    case "empty":
      return { reason: "no row is graded 0 or 1", fix: "grade the rows first" };
    case "floored":
      return {
        reason: `all ${countOf(nTasks, "task")} fail every rollout`,
        fix: "add easier tasks, or check the judge",
      };
    case "saturated":
      return { reason: `a base of ${formatFixed(base, 2)} leaves no room for ${gain}`, fix: "use harder tasks" };
    case "underpowered": {
      const proved =
        resolvable === null
          ? `fewer than ${MIN_HOLDOUT_TASKS} tasks prove nothing`
          : `proves ${formatPercent(resolvable, 1)} at best`;
      return {
        reason: `${countOf(nTasks, "task")}: ${proved}, and ${gain} was asked for`,
        fix: `add tasks, ${nNeeded} in all`,
      };
    }
    case "usable":
      return { reason: `${countOf(nTasks, "task")} prove ${formatPercent(resolvable, 1)}`, fix: "" };
  }
}
