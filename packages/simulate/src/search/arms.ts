import { nearestName } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/**
 * Where the tasks of a search come from: cells of the grid; cells worded by a model that is shown what failed; prompts
 * without a cell; sequences of tools that no rollout has shown; other words for what went wrong.
 */
export const ARMS = ["structured", "llm_guided", "open_ended", "behavior_targeted", "failure_mutation"] as const;
export type Arm = (typeof ARMS)[number];

/** Shares of the arms; they sum to 1. */
export type ArmWeights = Readonly<Record<Arm, number>>;

/** The shares before anything is known. */
export const START_WEIGHTS: ArmWeights = Object.freeze({
  structured: 0.42,
  llm_guided: 0.42,
  open_ended: 0.1,
  behavior_targeted: 0.03,
  failure_mutation: 0.03,
});
/** No arm falls under its floor, so that one with bad luck comes back. */
const FLOORS: ArmWeights = {
  structured: 0.15,
  llm_guided: 0.15,
  open_ended: 0.05,
  behavior_targeted: 0.01,
  failure_mutation: 0.01,
};
const REST = 1 - Object.values(FLOORS).reduce((sum, floor) => sum + floor, 0);
/** What prompts without a cell may take: they find much that is new, and little that is the agent's work. */
const OPEN_MOST = 0.1;
const RARE_MOST = 0.08;
const RARE: readonly Arm[] = ["behavior_targeted", "failure_mutation"];
/** How much a yield of 1 lifts an arm. */
const LIFT = 0.5;

/**
 * The shares of the next round: arms that found more that is new get more. An arm without rows is taken to yield what
 * the others do on average, so that idleness is no fault.
 *
 * @param yields New behaviours and new cells for a row of the arm
 */
export function reallocateArms(weights: ArmWeights, yields: Partial<Record<Arm, number>>): ArmWeights {
  const known = Object.values(yields);
  const mean = known.length === 0 ? 0 : known.reduce((sum, one) => sum + one, 0) / known.length;
  const lifted = mapArms((arm) => weights[arm] * (1 + LIFT * (yields[arm] ?? mean)));
  const sum = total(lifted);
  const mixed = mapArms((arm) => FLOORS[arm] + (REST * lifted[arm]) / sum);
  const held = new Set<Arm>(["open_ended"]);
  mixed.open_ended = Math.min(OPEN_MOST, Math.max(FLOORS.open_ended, mixed.open_ended));
  for (const arm of RARE) {
    if (mixed[arm] <= RARE_MOST) continue;
    mixed[arm] = RARE_MOST;
    held.add(arm);
  }
  // What a bound cut off goes to the arms that met none, by their shares.
  const fixed = ARMS.reduce((part, arm) => part + (held.has(arm) ? mixed[arm] : 0), 0);
  const scale = (1 - fixed) / (total(mixed) - fixed);
  return mapArms((arm) => (held.has(arm) ? mixed[arm] : mixed[arm] * scale));
}

/**
 * Shares that the caller set; arms left out get nothing.
 *
 * @throws SimulateError `bad_option` for an unknown arm, a negative share, or none above 0
 */
export function pinnedWeights(given: Readonly<Record<string, number>>): ArmWeights {
  for (const [name, share] of Object.entries(given)) {
    if (!(ARMS as readonly string[]).includes(name)) {
      const near = nearestName(name, ARMS);
      const fix = `The arms are ${ARMS.join(", ")}${near === null ? "" : ` (nearest: ${near})`}.`;
      throw new SimulateError("bad_option", `armWeights names ${JSON.stringify(name)}.`, fix);
    }
    if (!(typeof share === "number" && share >= 0 && Number.isFinite(share))) {
      throw new SimulateError("bad_option", `armWeights.${name} is ${String(share)}.`, "Give a number of 0 or more.");
    }
  }
  const sum = Object.values(given).reduce((part, share) => part + share, 0);
  const { structured = 0, llm_guided: guided = 0, open_ended: open = 0 } = given;
  if (structured + guided + open === 0) {
    const fix = "Give structured, llm_guided or open_ended a share above 0: the others begin with what these found.";
    throw new SimulateError("bad_option", "armWeights leaves a search nothing to begin with.", fix);
  }
  return mapArms((arm) => (given[arm] ?? 0) / sum);
}

function mapArms(of: (arm: Arm) => number): Record<Arm, number> {
  return Object.fromEntries(ARMS.map((arm) => [arm, of(arm)])) as Record<Arm, number>;
}

function total(weights: ArmWeights): number {
  return ARMS.reduce((sum, arm) => sum + weights[arm], 0);
}
