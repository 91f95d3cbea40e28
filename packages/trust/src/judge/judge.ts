import type { Row } from "@while/schema";

/**
 * What a judge says of a row beyond a bare number. `reward` is a share in [0, 1], `score` the same by another name,
 * `rating` a mark on the judge's own scale. `markers`: 1 is the good outcome, higher is better.
 */
export interface JudgeVerdict {
  reward?: number | boolean | null;
  score?: number;
  rating?: number;
  reason?: string;
  markers?: Record<string, number>;
  failure_class?: string;
  judge_meta?: Record<string, unknown>;
  [extra: string]: unknown;
}

export type JudgeReturn = number | boolean | JudgeVerdict;

export const JUDGE_KINDS = ["judge", "rule", "reward_model", "human"] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

/** What a judge says of itself. `version` is anything that would change its labels. */
export interface JudgeInfo {
  judgeName?: string;
  kind?: JudgeKind;
  version?: string;
  model?: string;
  /** All that the judge reads of a row, as text: two rows that read the same get one verdict from a store of verdicts. */
  reads?: (row: Row) => string;
}

export interface JudgeContext {
  /** Aborted when the call's time is up or the whole grading is stopped. */
  signal?: AbortSignal;
}

/** One shape for a language model, a rule, a reward model and a person's lookup. The row is read, never changed. */
export type Judge = ((row: Row, context?: JudgeContext) => JudgeReturn | Promise<JudgeReturn>) & JudgeInfo;

export type JudgeStatus = "ok" | "missing_reward" | "invalid_result" | "error" | "timeout";
