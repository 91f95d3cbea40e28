import { isObject, type Row, textOf } from "@while/schema";
import { gradedReward } from "@while/stats";

/** The scorer whose verdict a penalized row carries. */
export const OVERLONG_SCORER = "overlong_penalty";

/**
 * What selection does with replies that a token cap cut. `drop` them; `keep` them as riders of a group whose other
 * rollouts decide whether it is trained on; or `penalize` them as failures (overlong handling of DAPO,
 * arXiv:2503.14476).
 */
export const TRUNCATED_POLICIES = ["drop", "keep", "penalize"] as const;

export type TruncatedPolicy = (typeof TRUNCATED_POLICIES)[number];

/** A copy of a cut row that says so: `overlong`, and the marker `finished` at 0. */
export function markOverlong(row: Row): Row {
  return { ...row, overlong: true, markers: { ...(isObject(row.markers) ? row.markers : {}), finished: 0 } };
}

/**
 * A copy of a cut row that fails for having been cut. The judged reward stays in `reward_before_penalty`, and the
 * old verdict in `judge_meta`. A row that nobody graded has nothing to take away and is only marked; a row already
 * under the penalty stays as it is.
 */
export function penalizeOverlong(row: Row): Row {
  const marked = markOverlong(row);
  const judged = gradedReward(row);
  if (judged === null || row.judge_name === OVERLONG_SCORER) return marked;
  const { failure_class: _stale, grader_reason: _older, ...rest } = marked;
  return {
    ...rest,
    reward: 0,
    reward_before_penalty: judged,
    reason: "The reply was truncated by the token cap.",
    judge_name: OVERLONG_SCORER,
    judge_status: "ok",
    judge_meta: {
      reward: judged,
      judge: textOf(row.judge_name) || textOf(row.label_source) || null,
      reason: textOf(row.reason) || textOf(row.grader_reason) || null,
      scorer_kind: "rule",
    },
  };
}
