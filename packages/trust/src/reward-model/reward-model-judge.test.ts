import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { runJudge } from "../judge/run-judge.ts";
import { rewardModelJudge, type ScoreRows } from "./reward-model-judge.ts";

const ROWS: Row[] = Array.from({ length: 10 }, (_, i) => ({ rollout_id: `r${i}`, at: i / 10 }));

function scoring(threshold: number | null = 0.5): ScoreRows & { sizes: number[] } {
  const sizes: number[] = [];
  const score = async (rows: readonly Row[]) => {
    sizes.push(rows.length);
    return { scores: rows.map(({ at }) => at as number), threshold };
  };
  return Object.assign(score, { sizes });
}

test("rows judged at once are one call, and the score lies on the row", async () => {
  const score = scoring();
  const { rows, meanReward } = await runJudge(ROWS, rewardModelJudge(score));
  expect(score.sizes).toEqual([8, 2]);
  expect(meanReward).toBe(0.5);
  expect(rows[5]).toMatchObject({
    ...{ reward: 1, rm_score: 0.5, judge_name: "reward_model" },
    judge_meta: { rm_score: 0.5, threshold: 0.5, scorer_kind: "reward_model" },
  });
});

test("a batch is no larger than asked for, and a threshold of one's own wins", async () => {
  const score = scoring();
  const { meanReward } = await runJudge(ROWS, rewardModelJudge(score, { batch: 3, threshold: 0.8 }));
  expect(Math.max(...score.sizes)).toBe(3);
  expect(meanReward).toBe(0.2);
});

test.each<[why: string, score: ScoreRows, error: RegExp]>([
  ["too few scores", () => ({ scores: [1], threshold: 0 }), /1 scores for 8 rows/],
  ["no threshold", scoring(null), /without a threshold/],
  ["a score that is no number", (rows) => ({ scores: rows.map(() => Number.NaN), threshold: 0 }), /the score NaN/],
  ["a model that throws", () => Promise.reject(new Error("down")), /down/],
])("%s leaves the rows without a verdict", async (_, score, error) => {
  const scored = await runJudge(ROWS, rewardModelJudge(score));
  expect(scored).toMatchObject({
    nGraded: 0,
    unjudgedBy: [{ failure: "error", n: 10, example: expect.stringMatching(error) }],
  });
});

test.each([[{ batch: 0 }], [{ threshold: Number.NaN }], [{ cut: 1 }]])("%j is refused", (options) => {
  expect(() => rewardModelJudge(scoring(), options as never)).toThrow(expect.objectContaining({ code: "bad_option" }));
});
