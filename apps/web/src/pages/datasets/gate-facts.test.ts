import { expect, test } from "vitest";
import { gateFacts } from "./gate-facts.ts";

const REPORT = {
  signal: {
    ...{ n_groups: 312, n_mixed: 241, n_all_zero: 38, n_all_one: 33, n_in_band: 177, mixed_rate: 0.7724 },
    ...{ k: 8, pass_pow_k: 0.105, pass_at_k: 0.878, headroom: 0.377 },
  },
  calibration: { n_rows: 2496, n_stamped: 2490 },
  duplicates: { n_dropped: 6, duplicate_rate: 0.0024, groups_affected: 5, conflicting_rewards: 1 },
  near_duplicate_prompts: {
    ...{ n_prompts: 312, n_pairs: 9, n_prompts_involved: 18, threshold: 0.8 },
    examples: [{ a: "one", b: "two", jaccard: 0.83 }, { a: "broken" }],
  },
  length: {
    median_chars: 241,
    max_chars: 1688,
    n_truncated: 0,
    n_groups_multi: 312,
    n_groups_wide_spread: 4,
    max_spread: 4,
  },
  correlations: { correlations: { tool_calls: -0.12, reply_length: 0.31, refusal: null }, not_read: ["hedging"] },
  privileged_leaks: { n_checked: 2496, n_leaked: 0 },
};

test("everything that a report counts is said", () => {
  expect(gateFacts(REPORT).map(({ name, says }) => [name, says])).toEqual([
    [
      "signal",
      "241 of 312 tasks are mixed, 77.2% of those that repeat; 177 of them in the band; 38 never pass, 33 always; pass^8 10.5%, pass@8 87.8%; headroom 37.7 points.",
    ],
    ["difficulty", "2,490 of 2,496 rows are stamped with the pass rate of their task."],
    ["duplicates", "6 rows repeat an earlier one, 0.2%, in 5 prompts; 1 with another reward: judge noise."],
    ["near duplicates", "9 pairs among 18 of 312 prompts share 80.0% of their words or more."],
    [
      "length",
      "Half of the replies are under 241 characters, the longest has 1,688; none is cut. In 4 of 312 prompts the longest is over 4 times the median.",
    ],
    [
      "reward moves with",
      "Over all graded rows the reward moves with reply_length +0.31, tool_calls \u22120.12. Not stamped on the rows: hedging.",
    ],
    ["privileged text", "0 of 2,496 rows with a privileged block quote it."],
  ]);
});

test("two prompts that are alike are shown, and what is no pair is not", () => {
  const near = gateFacts(REPORT).find(({ name }) => name === "near duplicates")!;
  expect(near.examples).toEqual([{ a: "one", b: "two", alike: 0.83 }]);
});

test("a report of an earlier server says what it has", () => {
  expect(gateFacts({})).toEqual([]);
  expect(gateFacts({ signal: { n_groups: 0 }, duplicates: { n_dropped: 0 } }).map(({ says }) => says)).toEqual([
    "No task has a graded row.",
    "No rollout is there twice.",
  ]);
});
