import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TrustError } from "../trust-error.ts";
import { normalizeJudgeResult } from "./normalize-judge-result.ts";

const invalid = (judge_meta: object, reason = "") => ({
  reward: null,
  reason,
  judge_status: "invalid_result",
  judge_meta,
});
const ok = (reward: number, judge_meta: object = {}, reason = "") => ({
  reward,
  reason,
  judge_status: "ok",
  judge_meta,
});

test.each<[answer: unknown, result: object]>([
  [true, ok(1)],
  [false, ok(0)],
  [0.7, ok(0.7)],
  [1, ok(1)],
  [-0, ok(0)],
  [1.2, invalid({ reward_out_of_range: 1.2 })],
  [-0.1, invalid({ reward_out_of_range: -0.1 })],
  [Number.NaN, invalid({ reward_out_of_range: Number.NaN })],
  [
    { reward: 1, reason: "ok", failures: ["x"], judge_meta: { verifier: "V" } },
    ok(1, { failures: ["x"], verifier: "V" }, "ok"),
  ],
  [{ reward: 1, who: "loose", judge_meta: { who: "nested" } }, ok(1, { who: "nested" })],
  [{ reward: 0, judge_meta: "text" }, ok(0, { judge_meta: "text" })],
  [{ reward: true }, ok(1)],
  [{ score: 0.4 }, ok(0.4)],
  [{ reward: 0, score: 1 }, ok(0)],
  [{ reward: undefined, score: 1 }, ok(1)],
  [
    { verdict: "pass", b: 1 },
    { reward: null, reason: "", judge_status: "missing_reward", judge_meta: { returned_keys: ["b", "verdict"] } },
  ],
  [{ reward: null, reason: "?" }, invalid({ reward_type: "null" }, "?")],
  [{ score: "1" }, invalid({ reward_type: "string" })],
  [{ reward: [1] }, invalid({ reward_type: "array" })],
  [{ reward: 7, reason: "wow" }, invalid({ reward_out_of_range: 7 }, "wow")],
  [null, invalid({ returned_type: "null" })],
  [undefined, invalid({ returned_type: "undefined" })],
  [[1], invalid({ returned_type: "array" })],
  ["8/10", invalid({ returned_type: "string", raw: "8/10" })],
  ['{"reward":1,"reason":"cut he', invalid({ returned_type: "string", raw: '{"reward":1,"reason":"cut he' })],
  ['{"reward":0}', ok(0)],
  ['```json\n{"reward":0}\n```', ok(0)],
  ['I say {"reward":0}', invalid({ returned_type: "string", raw: 'I say {"reward":0}' })],
])("%j without a scale", (answer, result) => expect(normalizeJudgeResult(answer)).toEqual(result));

test.each<[answer: unknown, scale: [number, number], result: object]>([
  [4, [1, 5], ok(0.75, { rating: 4, scale: [1, 5] })],
  [5, [1, 5], ok(1, { rating: 5, scale: [1, 5] })],
  [1, [1, 5], ok(0, { rating: 1, scale: [1, 5] })],
  [3, [1, 7], ok(0.333333, { rating: 3, scale: [1, 7] })],
  [{ rating: 4, score: 1, reason: "r" }, [1, 5], ok(0.75, { rating: 4, scale: [1, 5] }, "r")],
  [{ score: 3, reward: 1 }, [1, 5], ok(0.5, { rating: 3, scale: [1, 5] })],
  [{ reward: 2 }, [1, 5], ok(0.25, { rating: 2, scale: [1, 5] })],
  [6, [1, 5], invalid({ rating_out_of_scale: 6, scale: [1, 5] })],
  [Number.NaN, [1, 5], invalid({ rating_out_of_scale: Number.NaN, scale: [1, 5] })],
  [true, [1, 5], invalid({ reward_type: "boolean" })],
  [{ rating: "4" }, [1, 5], invalid({ reward_type: "string" })],
  [
    { verdict: 4 },
    [1, 5],
    { reward: null, reason: "", judge_status: "missing_reward", judge_meta: { returned_keys: ["verdict"] } },
  ],
])("%j on the scale %j", (answer, scale, result) => expect(normalizeJudgeResult(answer, { scale })).toEqual(result));

test.each([[[5, 1]], [[1, 1]], [[0, Number.POSITIVE_INFINITY]], [[1]]])("the scale %j is refused", (scale) => {
  expect(() => normalizeJudgeResult(1, { scale: scale as never })).toThrow(TrustError);
});

test("a reward is a share or null, and never made up", () => {
  fc.assert(
    fc.property(fc.anything(), (answer) => {
      const { reward, judge_status } = normalizeJudgeResult(answer);
      expect(reward === null).toBe(judge_status !== "ok");
      if (reward !== null) expect(reward >= 0 && reward <= 1).toBe(true);
    }),
  );
});

test("an answer of two million characters keeps its first two thousand", () => {
  const { judge_meta } = normalizeJudgeResult("x".repeat(2e6));
  expect(judge_meta.raw).toHaveLength(2000);
});
