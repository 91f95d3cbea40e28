import { expect, test } from "vitest";
import { hygieneWarnings } from "./hygiene-warnings.ts";

test("one line a finding, each with what to do", () => {
  const duplicates = {
    n: 9,
    nKept: 5,
    nDropped: 4,
    nNotRows: 0,
    groupsAffected: 2,
    duplicateRate: 4 / 9,
    conflictingRewards: 1,
  };
  const nearDuplicates = { nPrompts: 9, nPairs: 3, nPromptsInvolved: 4, threshold: 0.8, examples: [] };
  const lengths = {
    n: 9,
    medianChars: 10,
    maxChars: 90,
    nTruncated: 2,
    nGroupsMulti: 3,
    nGroupsWideSpread: 1,
    maxSpread: 4,
  };
  const correlations = {
    nGraded: 9,
    threshold: 0.3,
    correlations: new Map(),
    flagged: new Map([
      ["reply_length", 0.414],
      ["refusal", -0.5],
    ]),
    notRead: [],
  };
  expect(hygieneWarnings({ duplicates, nearDuplicates, lengths, correlations })).toEqual([
    "4 duplicate rows dropped over 2 asks. 1 of them had another reward than the identical row that was kept: judge noise.",
    "3 pairs among 4 prompts with 80% or more of their words in common: near-duplicate asks count as one ask with more weight, unless they are paraphrases you made on purpose.",
    "Cut replies: 2 of 9. Raise the token cap, or drop or penalize cut replies.",
    "Asks with a reply more than 4 times as long as their median one: 1 of 3. Check that the judge does not pay for length.",
    "The reward pays for reply_length (r +0.41 over 9 graded rows): check the judge.",
    "The reward punishes refusal (r -0.50 over 9 graded rows): check the judge.",
  ]);
});

test("clean rows are not warned about", () => {
  expect(hygieneWarnings({})).toEqual([]);
});
