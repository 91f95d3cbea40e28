import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatLogprobReport } from "./format-logprob-report.ts";
import { formatMeanKl } from "./format-mean-kl.ts";
import { formatStalenessReport } from "./format-staleness-report.ts";
import { logprobReport } from "./logprob-report.ts";
import { meanKl } from "./mean-kl.ts";
import { stalenessReport } from "./staleness-report.ts";

const ROWS: Row[] = [
  { task_id: "a", logprob: -10, ref_logprob: -12, n_tokens: 10, reward: 1, model_version: "m", policy_version: "v1" },
  { task_id: "a", logprob: -30, ref_logprob: -31, n_tokens: 20, reward: 0, model_version: "old" },
  { task_id: "b", logprob: -8, ref_logprob: -7, n_tokens: 16, reward: 1, sampling: { temperature: 0.7 } },
  { task_id: "c", reward: 1 },
];

test("formatLogprobReport", () => {
  expect(formatLogprobReport(logprobReport(ROWS))).toBe(
    [
      "log-probability a token -1.0435 (46 tokens, 3 of 4 rows)",
      "  rows: 10% below -1.5000, half below -1.0000, 90% below -0.5000",
      "  correlation with the reward 0.87",
      "  the reward follows the policy's own confidence (correlation 0.866): the judge may pay for fluency",
    ].join("\n"),
  );
  expect(formatLogprobReport(logprobReport([{ reward: 1 }]))).toBe(
    "log-probabilities: not measured\n  none of 1 row has a logprob over its n_tokens: turn log-probabilities on when sampling",
  );
});

test("formatMeanKl puts the tasks furthest from the reference first", () => {
  expect(formatMeanKl(meanKl(ROWS))).toBe(
    [
      "KL to the reference 0.043478 nats a token (46 tokens, 3 rows, 1 more without both sides)",
      "  0.100000  a",
      "  -0.062500  b",
    ].join("\n"),
  );
  expect(formatMeanKl(meanKl([{}]))).toBe("KL to the reference: not measured, 1 row without both sides");
  const many = Array.from({ length: 7 }, (_, i) => ({
    task_id: `t${i}`,
    logprob: -1,
    ref_logprob: -2 - i,
    n_tokens: 1,
  }));
  expect(formatMeanKl(meanKl(many)).split("\n").slice(1)).toEqual([
    "  7.000000  t6",
    "  6.000000  t5",
    "  5.000000  t4",
    "  4.000000  t3",
    "  3.000000  t2",
    "  and 2 tasks more",
  ]);
});

test("formatStalenessReport", () => {
  expect(formatStalenessReport(stalenessReport(ROWS, { baseModel: "m" }))).toBe(
    [
      "4 rows from 3 policies, 1 from another model than m, 2 without a model",
      "  policies: v1 1, old 1, unknown 2",
      "  temperatures: 0.7 1",
      "  recorded: sampling 25%, log-probability 75%, a token 0%",
      "  3 policies sampled these rows: v1, old, unknown",
      "  1 of 4 rows come from another model than m",
      "  1 of 4 rows have no logprob, so an update cannot correct for the policy that sampled them",
      "  3 of 4 rows do not say how they were sampled",
    ].join("\n"),
  );
  expect(formatStalenessReport(stalenessReport([{ model_version: "m" }])).split("\n")[0]).toBe(
    "1 row from one policy, no base model to compare with",
  );
  expect(formatStalenessReport(stalenessReport([]))).toBe("staleness: not measured, no rows");
});
