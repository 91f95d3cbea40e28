import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import type { ReadOptions } from "./read-options.ts";

/** What a score becomes on a row. */
export interface Scored {
  reward: number | null;
  judge_status?: "invalid_result";
  /** The score as the file had it, where the reward is another number. */
  judge_meta?: Record<string, unknown>;
}

/**
 * A score of an evaluation as a reward: mapped by `scale`, cut by `threshold`, both in the file's own units. Without
 * them a score outside [0, 1] is no reward: the row stays, ungraded, with the score in `judge_meta`.
 */
export function scored(score: number, { scale, threshold }: ReadOptions): Scored {
  const isOut = scale === undefined ? score < 0 || score > 1 : score < scale[0] || score > scale[1];
  if (threshold !== undefined) {
    return { reward: score >= threshold ? 1 : 0, judge_meta: { rating: score, threshold, ...scaleOf(scale) } };
  }
  if (isOut) {
    const key = scale === undefined ? "reward_out_of_range" : "rating_out_of_scale";
    return { reward: null, judge_status: "invalid_result", judge_meta: { [key]: score, ...scaleOf(scale) } };
  }
  if (scale === undefined) return { reward: score };
  return { reward: (score - scale[0]) / (scale[1] - scale[0]), judge_meta: { rating: score, scale: [...scale] } };
}

/** Warns once a file that scores lay outside [0, 1], and names the two options that make rewards of them. */
export function outOfRangeWarning(score: number): string {
  return (
    `A score of ${score} lies outside 0 to 1, so its row has no reward. ` +
    "Pass scale: [lowest, highest] to map scores onto 0 to 1, or threshold to make them 0 or 1."
  );
}

/**
 * The same for a row that brings its reward along. Here the file is the user's own, so a reward outside the scale is
 * refused and not carried along ungraded.
 *
 * @throws SchemaError `bad_value`
 */
export function rescored(row: Row, options: ReadOptions): Row {
  const { scale, threshold } = options;
  const { reward } = row;
  // What is no number is refused at the door, with its own sentence.
  if ((scale === undefined && threshold === undefined) || typeof reward !== "number") return row;
  const result = scored(reward, options);
  if (result.judge_status !== undefined) {
    throw new SchemaError(
      "bad_value",
      `reward is ${reward}, outside the scale ${scale?.[0]} to ${scale?.[1]}.`,
      "Give the scale that the judge was given.",
    );
  }
  const meta = isObject(row.judge_meta) ? row.judge_meta : {};
  return { ...row, reward: result.reward, judge_meta: { ...meta, ...result.judge_meta } };
}

function scaleOf(scale: ReadOptions["scale"]): { scale?: number[] } {
  return scale === undefined ? {} : { scale: [...scale] };
}
