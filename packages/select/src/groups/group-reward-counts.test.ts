import { expect, test } from "vitest";
import { groupRewardCounts } from "./group-reward-counts.ts";

test.each([
  // rewards, n0, n1, mean, population, sample
  [[], 0, 0, null, null, null],
  [[1], 0, 1, 1, 0, null],
  [[0.5, 0.5], 0, 0, 0.5, 0, 0],
  [[1, 0], 1, 1, 0.5, 0.5, Math.SQRT1_2],
  [[0.49, 0.51], 1, 1, 0.5, 0.01, 0.01 * Math.SQRT2],
])("groupRewardCounts(%j)", (rewards, n0, n1, mean, population, sample) => {
  const counts = groupRewardCounts(rewards);
  expect(counts).toMatchObject({ n: rewards.length, n0, n1, rewardMean: mean });
  for (const [actual, expected] of [
    [counts.rewardStdPopulation, population],
    [counts.rewardStdSample, sample],
  ]) {
    if (expected === null) expect(actual).toBeNull();
    else expect(actual).toBeCloseTo(expected!, 12);
  }
});
