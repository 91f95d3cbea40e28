import { expect, test } from "vitest";
import { labelCensus } from "./label-census.ts";

test("labels are counted as they were handed over, fractions apart", () => {
  const census = labelCensus([{ reward: 1 }, { reward: true }, { reward: 0 }, { reward: 0.75 }, { reward: "1" }, {}]);
  expect(census).toMatchObject({
    graded: 3,
    passes: 2,
    fails: 1,
    ungraded: 2,
    nonBinaryLabels: { n: 1, examples: ["reward=0.75"] },
  });
  expect(census.warnings.map(({ text }) => text)).toEqual([
    "1 label is neither 0 nor 1 (reward=0.75). Pass threshold to make it one.",
  ]);
});

test("with a threshold every number is a label", () => {
  expect(labelCensus([{ score: 4 }, { score: 2 }], { rewardKey: "score", threshold: 3 })).toMatchObject({
    graded: 2,
    passes: 1,
    fails: 1,
    warnings: [],
  });
});

test("a numeric column that nothing reads is named, with its rows; measurements of the rollout are not", () => {
  const { unreadNumericColumns, warnings } = labelCensus([
    { score: 1, logprob: -3, n_tokens: 7, seed: 1, ts: 2, rollout_index: 0, round: 1, timestamp: 5 },
    { score: 0, rating: 4 },
  ]);
  expect([...unreadNumericColumns]).toEqual([
    ["score", 2],
    ["rating", 1],
  ]);
  expect(warnings[0]?.text).toContain("nothing reads score (2 rows), rating (1 row)");
});

test("qwen_reward alone is an opinion and no label", () => {
  const census = labelCensus([{ qwen_reward: 1 }, { qwen_reward: 0, reward: 1 }]);
  expect(census).toMatchObject({ graded: 1, ungraded: 1, advisoryLabels: 1 });
  expect(census.warnings.map(({ code }) => code)).toEqual(["advisory_labels"]);
});
