import { checkOptions } from "@while/schema";
import { counted } from "./counted.ts";
import { SELECT_MODES, type SelectMode } from "./optimize.ts";
import { numberIn, oneOf, wholeNumber } from "./options.ts";
import { SelectError } from "./select-error.ts";

/** Rollouts of one ask that a grouped method compares; Dr. GRPO (arXiv:2503.20783) uses 8. */
export const RL_ROLLOUTS_PER_ASK = 8;

export interface RecommendOptions {
  /** Situations that a covering grid of the agent's world has. */
  cells: number;
  mode?: SelectMode;
  /** Rows to train on; 800 for sft, 1000 for rl. */
  target?: number;
  /** Share of asks whose rollouts will differ, as an earlier round measured it (`mixedRate` of `groupSignal`). */
  mixedRate?: number;
}

export interface Recommendation {
  mode: SelectMode;
  cells: number;
  target: number;
  /** Rollouts of each situation. */
  rolloutsPerAsk: number;
  situations: number;
  /** Rollouts in all. */
  budget: number;
  /** What was reckoned with; null for sft, which needs no contrast. */
  mixedRate: number | null;
  /** What to give a simulation. */
  simulateOptions: { mode: SelectMode; budget: number; repeats: number };
  /** Why each number is what it is. */
  reasoning: string[];
}

const SFT_TARGET = 800;
const RL_TARGET = 1000;
/** Rollouts to choose one from. */
const SELECTION_SURPLUS = 3;
/** Copies of each situation after which more of the same tell nothing new. */
const SATURATION_COPIES = 2;
const BUDGET_ROUNDING = 100;
const MIXED_RATE_FLOOR = 0.02;
const MIXED_RATE_DEFAULT = 0.5;

/**
 * How many rollouts to make, so that enough are left to train on: for imitation three to choose each row from, for a
 * grouped method enough asks that the mixed ones among them fill the target; and in both every situation twice.
 *
 * @throws SelectError `bad_option`
 */
export function recommend(options: RecommendOptions): Recommendation {
  checkOptions(
    options,
    ["cells", "mode", "target", "mixedRate"],
    (what, fix) => new SelectError("bad_option", what, fix),
  );
  const mode = oneOf("mode", options.mode ?? "rl", SELECT_MODES);
  const cells = wholeNumber("cells", options.cells, 1);
  const target = wholeNumber("target", options.target ?? (mode === "sft" ? SFT_TARGET : RL_TARGET), 1);
  const given = numberIn("mixedRate", options.mixedRate ?? MIXED_RATE_DEFAULT, 0, 1);
  return mode === "sft" ? forSft(cells, target) : forRl(cells, target, given, options.mixedRate === undefined);
}

function forSft(cells: number, target: number): Recommendation {
  const least = Math.max(cells * SATURATION_COPIES, target * SELECTION_SURPLUS);
  const budget = Math.ceil(least / BUDGET_ROUNDING) * BUDGET_ROUNDING;
  return {
    ...{ mode: "sft", cells, target, rolloutsPerAsk: 1, situations: budget, budget, mixedRate: null },
    simulateOptions: { mode: "sft", budget, repeats: 1 },
    reasoning: [
      `${counted(cells, "situation")} in ${SATURATION_COPIES} copies are ${cells * SATURATION_COPIES} rollouts.`,
      `${counted(target, "row")} chosen from ${SELECTION_SURPLUS} times as many are ${target * SELECTION_SURPLUS}.`,
      `The larger of the two, rounded up to hundreds: ${budget}.`,
    ],
  };
}

function forRl(cells: number, target: number, given: number, isGuess: boolean): Recommendation {
  const mixedRate = Math.max(MIXED_RATE_FLOOR, given);
  const k = RL_ROLLOUTS_PER_ASK;
  const forTarget = Math.ceil(target / (k * mixedRate));
  const situations = Math.max(SATURATION_COPIES * cells, forTarget);
  const budget = situations * k;
  const rate = isGuess ? `${mixedRate} (not measured: pass the mixedRate of an earlier round)` : String(mixedRate);
  return {
    ...{ mode: "rl", cells, target, rolloutsPerAsk: k, situations, budget, mixedRate },
    simulateOptions: { mode: "rl", budget, repeats: k },
    reasoning: [
      `${k} rollouts of each ask make a group.`,
      `A share of ${rate} of asks has both outcomes, so ${target} rows take ${counted(forTarget, "ask")}.`,
      `${counted(cells, "situation")} in ${SATURATION_COPIES} copies are ${SATURATION_COPIES * cells} asks.`,
      `The larger of the two in ${k} rollouts each: ${budget}.`,
    ],
  };
}
