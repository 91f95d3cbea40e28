import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { logprobReport } from "./logprob-report.ts";
import { meanKl } from "./mean-kl.ts";
import { stalenessReport } from "./staleness-report.ts";

const captured = fc.record({
  task_id: fc.constantFrom("a", "b", "__proto__"),
  logprob: fc.integer({ min: -4000, max: 0 }).map((x) => x / 8),
  ref_logprob: fc.integer({ min: -4000, max: 0 }).map((x) => x / 8),
  n_tokens: fc.integer({ min: 1, max: 500 }),
  reward: fc.integer({ min: 0, max: 1 }),
});
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

test("the order of rows does not matter", () => {
  fc.assert(
    fc.property(fc.array(captured, { maxLength: 20 }), (rows) => {
      const turned = [...rows].reverse();
      expect(logprobReport(turned)).toEqual(logprobReport(rows));
      expect(meanKl(turned)).toEqual(meanKl(rows));
    }),
  );
});

test("quantiles rise, and the mean over tokens lies among the rows' own", () => {
  fc.assert(
    fc.property(fc.array(captured, { minLength: 1, maxLength: 20 }), (rows) => {
      const { rowMeanP10, rowMeanP50, rowMeanP90, meanTokenLogprob } = logprobReport(rows);
      expect(rowMeanP10!).toBeLessThanOrEqual(rowMeanP50!);
      expect(rowMeanP50!).toBeLessThanOrEqual(rowMeanP90!);
      const means = rows.map((row) => row.logprob / row.n_tokens);
      expect(meanTokenLogprob!).toBeGreaterThanOrEqual(Math.min(...means) - 1e-4);
      expect(meanTokenLogprob!).toBeLessThanOrEqual(Math.max(...means) + 1e-4);
    }),
  );
});

test("text, booleans and empty completions are no log-probabilities", () => {
  const rows = [
    { logprob: "-3", n_tokens: 3 },
    { logprob: true, n_tokens: 3 },
    { logprob: -3, n_tokens: 0 },
    { logprob: -3, n_tokens: 2.5 },
    { logprob: Number.NaN, n_tokens: 3 },
    null,
  ] as unknown as Row[];
  const report = logprobReport(rows);
  expect(report).toMatchObject({ nRows: 5, nWithLogprobs: 0, meanTokenLogprob: null, rowMeanP50: null });
  expect(codes(report)).toEqual(["no_logprobs"]);
});

test("a reward that follows confidence, and cut completions, are said", () => {
  const row = (logprob: number, reward: number): Row => ({ logprob, n_tokens: 1, reward, steps: [{ text: "a" }] });
  const report = logprobReport([row(-1, 1), row(-2, 1), row(-3, 0), { ...row(-4, 0), steps: [{ truncated: true }] }]);
  expect(report).toMatchObject({ corrRewardConfidence: 0.8944, nTruncated: 1 });
  expect(codes(report)).toEqual(["reward_follows_confidence", "truncated_rows"]);
  expect(codes(logprobReport([row(-1, 0), row(-2, 1), row(-3, 1)]))).toEqual([]);
});

test("the policy against itself is 0, and swapping the two turns the sign", () => {
  fc.assert(
    fc.property(fc.array(captured, { minLength: 1, maxLength: 20 }), (rows) => {
      expect(meanKl(rows, "logprob").meanKl).toBe(0);
      const swapped = rows.map((row) => ({ ...row, logprob: row.ref_logprob, ref_logprob: row.logprob }));
      expect(meanKl(swapped).meanKl! + meanKl(rows).meanKl!).toBeCloseTo(0, 12);
    }),
  );
});

test("reference rows are found by their key; what has no partner of the same length is skipped", () => {
  const policy: Row[] = [
    { rollout_id: "r1", task_id: "a", logprob: -10, n_tokens: 10 },
    { scenario_id: "s", rollout_index: 1, logprob: -6, n_tokens: 4 },
    { prompt: "p", final_text: "f", logprob: -1, n_tokens: 2 },
    { rollout_id: "other tokenizer", logprob: -1, n_tokens: 2 },
    { rollout_id: "told twice", logprob: -1, n_tokens: 2 },
    { rollout_id: "alone", logprob: -1, n_tokens: 2 },
  ];
  const reference: Row[] = [
    { prompt: "p", final_text: "f", logprob: -2, n_tokens: 2 },
    { scenario_id: "s", rollout_index: 1, logprob: -8, n_tokens: 4 },
    { rollout_id: "r1", logprob: -15, n_tokens: 10 },
    { rollout_id: "other tokenizer", logprob: -1, n_tokens: 3 },
    { rollout_id: "told twice", logprob: -1, n_tokens: 2 },
    { rollout_id: "told twice", logprob: -2, n_tokens: 2 },
  ];
  expect(meanKl(policy, reference)).toEqual({
    meanKl: 0.5, // (5 + 2 + 1) / 16
    perTask: new Map([
      ["a", 0.5],
      ["s", 0.5],
      ["p", 0.5],
    ]),
    nRows: 3,
    nSkipped: 3,
    nTokens: 16,
  });
});

test("rows that name no model are neither fresh nor stale", () => {
  const rows: Row[] = [
    { policy_version: "step-10", model_version: "m", sampling: { temperature: 1 }, logprob: -1 },
    { policy_version: "step-20", model_version: "old", sampling: { temperature: 1 } },
    { model_version: "" },
  ];
  const report = stalenessReport(rows, { baseModel: "m" });
  expect(report).toMatchObject({ n: 3, stale: 1, staleShare: 0.3333, nWithoutModel: 1, samplingCoverage: 0.6667 });
  expect(report.versions).toEqual(
    new Map([
      ["step-10", 1],
      ["step-20", 1],
      ["unknown", 1],
    ]),
  );
  expect(report.temperatures).toEqual(new Map([["1", 2]]));
  expect(codes(report)).toEqual(["several_policies", "stale_rows", "off_policy_without_logprobs", "partial_sampling"]);
});

test("without a base model nothing is stale, without rows nothing is covered", () => {
  expect(stalenessReport([{ model_version: "m" }])).toMatchObject({ stale: null, staleShare: null, baseModel: null });
  expect(stalenessReport([])).toMatchObject({ n: 0, samplingCoverage: null, logprobCoverage: null, warnings: [] });
});
