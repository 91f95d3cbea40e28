import { PASS_THRESHOLD } from "@while/stats";

/** What the rewards of one group hold for a grouped update; null where there are too few rewards for a number. */
export interface GroupRewardCounts {
  n: number;
  /** Rewards under 0.5. */
  n0: number;
  /** Rewards over 0.5; one of exactly 0.5 is neither. */
  n1: number;
  rewardMean: number | null;
  /** Divided by n, as exported groups carry it and TRL's GRPO does not. */
  rewardStdPopulation: number | null;
  /** Divided by n - 1, as trainers divide by it; null of one reward. */
  rewardStdSample: number | null;
}

/**
 * Fails, passes, mean and both deviations of the rewards of one group. Which deviation a trainer divides by moves its
 * advantages by sqrt(n / (n - 1)): 15% in a group of 4 (Shao et al. 2024, arXiv:2402.03300, write the one of n).
 */
export function groupRewardCounts(rewards: readonly number[]): GroupRewardCounts {
  const n = rewards.length;
  const mean = n === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0) / n;
  const squares = mean === null ? 0 : rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  return {
    n,
    n0: rewards.filter((reward) => reward < PASS_THRESHOLD).length,
    n1: rewards.filter((reward) => reward > PASS_THRESHOLD).length,
    rewardMean: mean,
    rewardStdPopulation: n === 0 ? null : Math.sqrt(squares / n),
    rewardStdSample: n < 2 ? null : Math.sqrt(squares / (n - 1)),
  };
}
