import { isObject, type Row, textOf } from "@while/schema";

/** How hard a situation is to behave well in, easiest first; `unlabelled` says that nobody knows. */
export const BEHAVIOR_TIERS = ["ordinary", "ambiguous", "boundary", "adversarial", "unlabelled"] as const;
export type BehaviorTier = (typeof BEHAVIOR_TIERS)[number];

/** Tiers in which an agent can go wrong on more than a slip. */
export const HARD_TIERS: ReadonlySet<BehaviorTier> = new Set<BehaviorTier>(["ambiguous", "boundary", "adversarial"]);

const TIER_OF_STANCE: ReadonlyMap<string, BehaviorTier> = new Map([
  ["ordinary", "ordinary"],
  ["hurried", "ordinary"],
  ["retry", "ordinary"],
  ["mistaken", "ordinary"],
  ["exploratory", "ordinary"],
  ["ambiguous", "ambiguous"],
  ["vague", "ambiguous"],
  ["underspecified", "ambiguous"],
  ["unsure", "ambiguous"],
  ["boundary", "boundary"],
  ["policy-push", "boundary"],
  ["conflicting", "boundary"],
  ["adversarial", "adversarial"],
  ["malicious", "adversarial"],
  ["forbidden", "adversarial"],
]);

/**
 * The tier of the row's situation, by the stance of the simulated user in `scenario_dimensions`: `stance`, else
 * `user_behavior`. A stance that is not known here is `unlabelled` too: to take it for ordinary would make a set look
 * easier than anyone has shown.
 */
export function behaviorTier({ scenario_dimensions: dimensions }: Row): BehaviorTier {
  if (!isObject(dimensions)) return "unlabelled";
  const stance = textOf(dimensions.stance) || textOf(dimensions.user_behavior);
  return TIER_OF_STANCE.get(stance) ?? "unlabelled";
}
