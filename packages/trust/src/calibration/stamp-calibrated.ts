import { isObject, type Row } from "@while/schema";
import { type IsotonicFit, isotonicAt } from "@while/stats";
import { numberOf } from "../agreement/rated-rows.ts";
import { TrustError } from "../trust-error.ts";

export interface StampScoreOptions {
  /** The field that is read: what `judgeCalibration` was told. */
  score?: string;
}

/**
 * Rewards that mean what they say: each score mapped to the share of such rows that people passed
 * (`judgeCalibration(…).map`), in [0, 1]. What the judge said stays on the row as `judge_meta.raw_reward`; a row that was
 * mapped before is mapped from there.
 *
 * @returns New rows; one without a score stays as it is
 * @throws TrustError `no_rows` for a map of no rows
 */
export function stampCalibrated(
  rows: readonly Row[],
  map: Pick<IsotonicFit, "blocks">,
  { score = "reward" }: StampScoreOptions = {},
): Row[] {
  if (map.blocks.length === 0) {
    throw new TrustError("no_rows", "The map was made of no rows.", "Label some rows first (attachLabels).");
  }
  return withReward(rows, score, (value) => isotonicAt(map, value)!);
}

/**
 * Scores as verdicts: reward 1 from the threshold on, else 0, so that `judgeTrust` and pass@1 read them. What the judge
 * said stays on the row as `judge_meta.raw_reward`.
 *
 * @returns New rows; one without a score stays as it is
 * @throws TrustError `bad_option` for a threshold that is no number
 */
export function stampThreshold(
  rows: readonly Row[],
  threshold: number,
  { score = "reward" }: StampScoreOptions = {},
): Row[] {
  if (!Number.isFinite(threshold)) {
    throw new TrustError("bad_option", `The threshold is ${threshold}.`, "Pass a number: judgeCalibration finds one.");
  }
  return withReward(rows, score, (value) => (value >= threshold ? 1 : 0));
}

function withReward(rows: readonly Row[], field: string, reward: (score: number) => number): Row[] {
  return rows.map((row) => {
    const meta = isObject(row.judge_meta) ? row.judge_meta : {};
    const raw = numberOf(meta.raw_reward) ?? numberOf(row.reward);
    const score = field === "reward" ? raw : numberOf(row[field]);
    if (score === null) return row;
    return { ...row, reward: reward(score), judge_meta: { ...meta, ...(raw === null ? {} : { raw_reward: raw }) } };
  });
}
