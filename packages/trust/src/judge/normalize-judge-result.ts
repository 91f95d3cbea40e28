import { checkOptions, cutCodePoints, isObject, roundHalfEven } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { JudgeStatus } from "./judge.ts";
import { wholeObject } from "./reply-json.ts";

/** What a judge's answer comes to, in the words of a row. */
export interface NormalizedResult {
  /** Null wherever the answer holds no reward: one is never made up. */
  reward: number | null;
  /** "" where the judge gave none. */
  reason: string;
  judge_status: JudgeStatus;
  judge_meta: Record<string, unknown>;
}

export type JudgeScale = readonly [low: number, high: number];

export interface NormalizeOptions {
  /** Range of the judge's own marks; they are mapped onto 0 to 1, and kept. */
  scale?: JudgeScale;
}

/** Characters of an unreadable answer that are kept for a person to read. */
export const KEPT_RAW_CHARS = 2000;

/**
 * Reads what a judge returned: a number or boolean, or an object with `reward` or `score` (with `scale` also `rating`,
 * before them). Text that is one JSON object as a whole, in a code fence or not, is read as that object.
 *
 * Outside [0, 1], NaN, text in place of a number and an absent reward are no verdicts: the reward is null, the status
 * says so, and `judge_meta` keeps what was there. Nothing is clamped. The raw mark stays beside the reward as `rating`
 * (Lambert 2025, Preference Data).
 *
 * @throws TrustError `bad_option` for a scale that is not two finite numbers, the lower first
 */
export function normalizeJudgeResult(raw: unknown, options: NormalizeOptions = {}): NormalizedResult {
  checkOptions(options, ["scale"], (what, fix) => new TrustError("bad_option", what, fix));
  const { scale } = options;
  if (scale !== undefined) checkScale(scale);
  const answer = typeof raw === "string" ? (wholeObject(raw) ?? raw) : raw;
  if (typeof answer === "number" || typeof answer === "boolean") return verdictOf(answer, "", {}, scale);
  if (!isObject(answer)) {
    const kept = typeof answer === "string" ? { raw: cutCodePoints(answer, KEPT_RAW_CHARS) } : {};
    return invalid("", { returned_type: typeName(answer), ...kept });
  }
  const keys = scale === undefined ? ["reward", "score"] : ["rating", "score", "reward"];
  const key = keys.find((name) => Object.hasOwn(answer, name) && answer[name] !== undefined);
  const reason = typeof answer.reason === "string" ? answer.reason : "";
  if (key === undefined) {
    const meta = { returned_keys: Object.keys(answer).sort() };
    return { reward: null, reason, judge_status: "missing_reward", judge_meta: meta };
  }
  return verdictOf(answer[key], reason, metaOf(answer, scale !== undefined), scale);
}

/** @throws TrustError `bad_option` */
export function checkScale(scale: JudgeScale): void {
  const [low, high] = scale;
  if (scale.length === 2 && Number.isFinite(low) && Number.isFinite(high) && low < high) return;
  throw new TrustError(
    "bad_option",
    `scale is ${JSON.stringify(scale)}.`,
    "Pass the lowest and the highest mark, the lower first: scale: [1, 5].",
  );
}

function verdictOf(
  value: unknown,
  reason: string,
  meta: Record<string, unknown>,
  scale: JudgeScale | undefined,
): NormalizedResult {
  if (scale === undefined && typeof value === "boolean") return ok(value ? 1 : 0, reason, meta);
  if (typeof value !== "number") return invalid(reason, { ...meta, reward_type: typeName(value) });
  if (scale === undefined) {
    return value >= 0 && value <= 1
      ? ok(value, reason, meta)
      : invalid(reason, { ...meta, reward_out_of_range: value });
  }
  const [low, high] = scale;
  if (!(value >= low && value <= high))
    return invalid(reason, { ...meta, rating_out_of_scale: value, scale: [...scale] });
  const reward = roundHalfEven((value - low) / (high - low), 6);
  return ok(reward, reason, { ...meta, rating: value, scale: [...scale] });
}

/** Everything else that the judge said; its own `judge_meta` wins over keys that lie loose. */
function metaOf(answer: Record<string, unknown>, hasScale: boolean): Record<string, unknown> {
  const { reward: _reward, score: _score, reason: _reason, ...rest } = answer;
  if (hasScale) delete rest.rating;
  if (!isObject(rest.judge_meta)) return rest;
  const { judge_meta: own, ...loose } = rest;
  return { ...loose, ...own };
}

// -0 is a zero like any other.
const ok = (reward: number, reason: string, judge_meta: Record<string, unknown>): NormalizedResult => ({
  ...{ reward: reward === 0 ? 0 : reward, reason, judge_status: "ok", judge_meta },
});

const invalid = (reason: string, judge_meta: Record<string, unknown>): NormalizedResult => ({
  ...{ reward: null, reason, judge_status: "invalid_result", judge_meta },
});

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
