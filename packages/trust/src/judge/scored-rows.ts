import type { RewardCount, Row, RowSource } from "@while/schema";
import type { CoverageWarningCode, Warning } from "@while/stats";
import type { EvalCoverage } from "./eval-coverage.ts";
import type { JudgeFailure } from "./judge-failure.ts";

export type ScoringWarningCode = Exclude<CoverageWarningCode, "one_reward"> | "unjudged_share" | "stopped";

/** Rows without a verdict for one and the same reason. */
export interface UnjudgedCount {
  failure: JudgeFailure;
  n: number;
  /** What the first of them says. */
  example: string;
}

/** What one grading did, without its rows. */
export interface ScoredReport {
  runId: string;
  source: string;
  judgeName: string;
  judgeVersion: string | null;
  /** The model that was judged, where the caller named it. */
  model: string | null;
  nRows: number;
  /** Entries that were no objects, and are not among the rows. */
  nNotRows: number;
  nGraded: number;
  nUnjudged: number;
  /** Rows without a verdict by reason, most frequent first. */
  unjudgedBy: UnjudgedCount[];
  /** Tasks of which no row has a verdict. */
  nTasksUnjudged: number;
  /** Median length of the replies in characters, with and without a verdict; null where there are none. */
  medianCharsJudged: number | null;
  medianCharsUnjudged: number | null;
  /** Over the rows with a verdict; null without any. */
  meanReward: number | null;
  /** Every reward and its rows, lowest first; empty when there are more than 50 different ones. */
  rewardDistribution: RewardCount[];
  nRewardValues: number;
  /** The one reward that all graded rows have, where there are two or more; null otherwise. */
  unanimous: number | null;
  /** Calls that were made, tries included. */
  nCalls: number;
  /** Calls that were made again after a failure that passes. */
  nRetries: number;
  /** Verdicts that were at hand, from a store or on the rows, and cost no call. */
  nReused: number;
  /** Why calling stopped before the last row; null when it did not. */
  stopped: { failure: JudgeFailure | null; error: string; nNotCalled: number } | null;
  /** How much of an evaluation set was scored; null where none was given. */
  evalCoverage: EvalCoverage | null;
  warnings: Warning<ScoringWarningCode>[];
}

/** Rows with their verdicts, what the rows came with (system prompt, tools), and what the grading did. */
export interface ScoredRows extends ScoredReport, RowSource {
  rows: Row[];
}

/** A part of scored rows; prompt and tools come along, so that it can be handed on like the whole. */
function part({ rows, mode, systemPrompt, systemPrompts, tools }: ScoredRows, keep: (row: Row) => boolean): RowSource {
  return {
    rows: rows.filter(keep),
    ...(mode === undefined ? {} : { mode }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(systemPrompts === undefined ? {} : { systemPrompts }),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** Rows with the reward 1. */
export function passes(scored: ScoredRows): RowSource {
  return part(scored, ({ reward }) => reward === 1);
}

/** Rows with the reward 0: what to simulate more of. A row without a verdict is none. */
export function failures(scored: ScoredRows): RowSource {
  return part(scored, ({ reward }) => reward === 0);
}

/** Rows with a reward strictly between 0 and 1. */
export function partials(scored: ScoredRows): RowSource {
  return part(scored, ({ reward }) => typeof reward === "number" && reward > 0 && reward < 1);
}

/** Rows whose judging failed, whatever the reason. */
export function unjudged(scored: ScoredRows): RowSource {
  return part(scored, ({ judge_status }) => judge_status !== "ok");
}

/** Rows with exactly this reward. */
export function byReward(scored: ScoredRows, reward: number): RowSource {
  return part(scored, (row) => row.reward === reward);
}

/** Rows with a reward between two, with or without the ends. */
export function byRewardRange(
  scored: ScoredRows,
  low: number,
  high: number,
  { inclusive = true }: { inclusive?: boolean } = {},
): RowSource {
  return part(scored, ({ reward }) => {
    if (typeof reward !== "number") return false;
    return inclusive ? reward >= low && reward <= high : reward > low && reward < high;
  });
}
