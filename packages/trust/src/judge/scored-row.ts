import { isObject, type Lineage, type Row, textOf } from "@while/schema";
import type { JudgeKind } from "./judge.ts";
import { failureOfResult, type JudgeFailure } from "./judge-failure.ts";
import type { NormalizedResult } from "./normalize-judge-result.ts";

/** Who judges, and for which run: the same for all rows of one grading. */
export interface Stamp {
  runId: string;
  source: string;
  judgeName: string;
  judgeVersion: string | null;
  kind: JudgeKind | undefined;
  model: string | null;
}

/** What an earlier grading wrote and this one would leave standing beside its own verdict. */
const STALE = [
  ...["reason", "grader_reason", "label_source", "judge_meta", "failure_class"],
  // Read in place of a reward by those who find none.
  ...["qwen_reward", "reward_before_penalty"],
] as const;

/**
 * A row with its verdict, as a new object. What an earlier verdict left is gone: an old reason beside a new reward, or
 * an old trust stamp, would be read as of this judge. (The Python SDK keeps them.)
 */
export function scoredRow(row: Row, index: number, result: NormalizedResult, stamp: Stamp): Row {
  const { reward, reason, judge_status, judge_meta } = result;
  const scored: Row = { ...row };
  for (const key of STALE) delete scored[key];
  const failure = failureOfResult(result);
  const { markers, failure_class: failureClass } = judge_meta;
  scored.reward = reward;
  if (reason !== "") scored.reason = reason;
  scored.judge_status = judge_status;
  scored.judge_name = stamp.judgeName;
  scored.judge_meta = {
    ...judge_meta,
    ...(failure === null ? {} : { failure }),
    ...(stamp.kind === undefined || stamp.kind === "judge" ? {} : { scorer_kind: stamp.kind }),
  };
  if (typeof failureClass === "string") scored.failure_class = failureClass;
  const measured = markersOf(markers);
  if (measured !== null) scored.markers = { ...(isObject(row.markers) ? row.markers : {}), ...measured };
  if (typeof judge_meta.rm_score === "number" && Number.isFinite(judge_meta.rm_score)) {
    scored.rm_score = judge_meta.rm_score;
  }
  scored.lineage = lineageOf(row, index, stamp);
  return scored;
}

/** The result of a call that brought no answer. */
export function failedResult(failure: JudgeFailure, error: string, timeoutMs: number | undefined): NormalizedResult {
  const isTimeout = failure === "timeout";
  const given = isTimeout && timeoutMs !== undefined ? { timeout_s: timeoutMs / 1000 } : {};
  return {
    reward: null,
    reason: "",
    judge_status: isTimeout ? "timeout" : "error",
    judge_meta: { error, failure, ...given },
  };
}

/** Numbers, and booleans as 1 and 0. What is neither stays in `judge_meta` for a person to see. */
function markersOf(markers: unknown): Record<string, number> | null {
  if (!isObject(markers)) return null;
  const measured = Object.entries(markers).flatMap(([name, value]): [string, number][] => {
    if (typeof value === "boolean") return [[name, value ? 1 : 0]];
    return typeof value === "number" && Number.isFinite(value) ? [[name, value]] : [];
  });
  return measured.length === 0 ? null : Object.fromEntries(measured);
}

function lineageOf(row: Row, index: number, { runId, source, judgeName, judgeVersion, model }: Stamp): Lineage {
  const before = isObject(row.lineage) ? row.lineage : {};
  const prior = textOf(before.scoring_run_id);
  const { judge_version: _stale, ...kept } = before;
  return {
    ...kept,
    scoring_run_id: runId,
    source,
    judge: judgeName,
    parent: textOf(row.scenario_id) || textOf(row.id) || `row_${index}`,
    ...(model === null ? {} : { model }),
    ...(judgeVersion === null ? {} : { judge_version: judgeVersion }),
    ...(prior === "" ? {} : { prior_scoring_run_id: prior }),
  };
}
