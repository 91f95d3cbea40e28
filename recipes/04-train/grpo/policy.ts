import type { MersenneTwister } from "@while/stats";

/*
 * The smallest policy that generalises: two decisions, each by a logistic of what an ask looks like. Training is GRPO on
 * policy: groups of rollouts of one ask, each pushed by how its reward compares with the group's, and pulled back to where
 * it began by the KL. One step is taken on each batch, so no ratio of old to new chances has to be clipped.
 */

/** What the policy sees of an ask. */
export interface Situation {
  isHurried: boolean;
}

export interface Acts {
  looks: boolean;
  claims: boolean;
}

/** Weights of each decision over the features of an ask. */
export interface Policy {
  looks: number[];
  claims: number[];
}

export const BASE: Policy = { looks: [0.6, -0.8], claims: [-1.5, 0] };
const DECISIONS = ["looks", "claims"] as const;
const RATE = 0.1;
const KL_WEIGHT = 0.01;
/** Spread of rewards under which a group teaches nothing. */
const NO_SPREAD = 1e-9;

const featuresOf = ({ isHurried }: Situation): number[] => [1, isHurried ? 1 : 0];
const chance = (weights: readonly number[], features: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * features[i]!, 0)));

export function act(policy: Policy, ask: Situation, dice: MersenneTwister): Acts {
  const features = featuresOf(ask);
  return {
    looks: dice.random() < chance(policy.looks, features),
    claims: dice.random() < chance(policy.claims, features),
  };
}

/** Rollouts of one ask, with their rewards. */
export interface Group {
  ask: Situation;
  acts: readonly Acts[];
  rewards: readonly number[];
}

/** One step of GRPO; a new policy. */
export function step(policy: Policy, groups: readonly Group[]): Policy {
  const next: Policy = { looks: [...policy.looks], claims: [...policy.claims] };
  const n = groups.reduce((sum, { acts }) => sum + acts.length, 0);
  for (const { ask, acts, rewards } of groups) {
    const features = featuresOf(ask);
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
    const spread = Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length);
    for (const name of DECISIONS) {
      const p = chance(policy[name], features);
      const back = Math.log(p / (1 - p)) - logit(BASE[name], features);
      for (const [i, taken] of acts.entries()) {
        const advantage = spread < NO_SPREAD ? 0 : (rewards[i]! - mean) / spread;
        // The gradient of the log chance of a decision, and of its KL from the base.
        const push = advantage * ((taken[name] ? 1 : 0) - p) - KL_WEIGHT * p * (1 - p) * back;
        for (const j of features.keys()) next[name][j]! += (RATE * push * features[j]!) / n;
      }
    }
  }
  return next;
}

const logit = (weights: readonly number[], features: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * features[i]!, 0);

/** Mean KL of the policy from the base, in nats an ask. */
export function klFromBase(policy: Policy, asks: readonly Situation[]): number {
  const each = asks.map((ask) => {
    const features = featuresOf(ask);
    return DECISIONS.reduce((sum, name) => {
      const [p, q] = [chance(policy[name], features), chance(BASE[name], features)];
      return sum + p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
    }, 0);
  });
  return each.reduce((sum, kl) => sum + kl, 0) / each.length;
}
