import type { Row } from "../row.ts";
import type { Judgment } from "./typed-row.ts";

/**
 * The row with a verdict; every grading path writes through this. The reason, the failure class and the evidence of
 * the judge before it go, so that no row carries one judge's number with another's words. (The Python SDK leaves an
 * old `judge_meta` where the new one would be empty, and `grader_reason` always.)
 *
 * The row is named by the caller: `rolloutId` is not compared, because rows need not have one.
 */
export function attach(
  row: Row,
  { scorer, reward, status, reason, failureClass, evidence }: Omit<Judgment, "rolloutId">,
): Row {
  const { reason: _, grader_reason: __, failure_class: ___, judge_meta: ____, ...rest } = row;
  const meta = {
    ...evidence,
    ...(scorer.version === null ? {} : { version: scorer.version }),
    ...(scorer.kind === "judge" && !("scorer_kind" in evidence) ? {} : { scorer_kind: scorer.kind }),
  };
  return {
    ...rest,
    reward,
    ...(reason === "" ? {} : { reason }),
    ...(failureClass === null || failureClass === "" ? {} : { failure_class: failureClass }),
    judge_name: scorer.name,
    judge_status: status,
    ...(Object.keys(meta).length === 0 ? {} : { judge_meta: meta }),
  };
}
