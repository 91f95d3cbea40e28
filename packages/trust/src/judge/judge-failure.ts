import { isObject } from "@while/schema";
import type { NormalizedResult } from "./normalize-judge-result.ts";

/**
 * Why a row has no verdict. Of a call: `rate_limit`, `network` (a server's own fault among them), `auth`, `timeout`,
 * `error` (the judge threw). Of an answer: `unreadable`, `out_of_range`, `no_reward`, `refusal`, `truncated`. Of
 * neither: `not_called`, because the calls before it failed or the grading was stopped.
 */
export const JUDGE_FAILURES: readonly JudgeFailure[] = [
  ...(["rate_limit", "network", "auth", "timeout", "error"] as const),
  ...(["unreadable", "out_of_range", "no_reward", "refusal", "truncated", "not_called"] as const),
];
export type JudgeFailure =
  | "rate_limit"
  | "network"
  | "auth"
  | "timeout"
  | "error"
  | "unreadable"
  | "out_of_range"
  | "no_reward"
  | "refusal"
  | "truncated"
  | "not_called";

/** Worth another try: the same call may go through a moment later. */
export const TRANSIENT: readonly JudgeFailure[] = ["rate_limit", "network"];

/** Say something of whoever is called, and nothing of the row: many of them in a row and no call will go through. */
export const OUTAGES: readonly JudgeFailure[] = ["rate_limit", "network", "auth", "timeout"];

const NETWORK_CODES =
  /^(ECONN|EPIPE|EAI_|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_|ERR_SOCKET|ERR_TLS|CERT_)/;

/**
 * What kind of failure a thrown error is, by its HTTP `status` (also `statusCode`, or of its `response`), by the system's
 * `code` (also of its `cause`, as `fetch` has it), or by its name.
 */
export function failureOfError(error: unknown): JudgeFailure {
  if (!isObject(error)) return "error";
  const status = numberOf(error.status) ?? numberOf(error.statusCode) ?? statusOfResponse(error.response);
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 408 || (status !== null && status >= 500)) return "network";
  const cause = isObject(error.cause) ? error.cause : {};
  if ([error.code, cause.code].some((code) => typeof code === "string" && NETWORK_CODES.test(code))) return "network";
  if (error.name === "TypeError" && error.message === "fetch failed") return "network";
  return error.name === "TimeoutError" ? "timeout" : "error";
}

/** Why a verdict that was read has no reward; null when it has one. */
export function failureOfResult({ judge_status, judge_meta }: NormalizedResult): JudgeFailure | null {
  if (judge_status === "ok") return null;
  const said = JUDGE_FAILURES.find((failure) => failure === judge_meta.failure);
  if (said !== undefined) return said as JudgeFailure;
  if (judge_status === "missing_reward" || judge_meta.reward_type === "null") return "no_reward";
  return "reward_out_of_range" in judge_meta || "rating_out_of_scale" in judge_meta ? "out_of_range" : "unreadable";
}

/** How long the other side asks to wait, from an error's `retryAfterMs`. */
export function retryAfterOf(error: unknown): number | null {
  return isObject(error) ? numberOf(error.retryAfterMs) : null;
}

function statusOfResponse(response: unknown): number | null {
  return isObject(response) ? numberOf(response.status) : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
