import { cleanFaults, isObject, type Row, stepsOf, textOf, toolFault } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";

/** What made a rollout worth asking again in other words. */
export const AIMS = ["world_fault", "graded_failure", "unattributed"] as const;
export type Aim = (typeof AIMS)[number];

/** What a search learns of one rollout. */
export interface Observation {
  /** Its task, by place in the plan. */
  task: number;
  rolloutIndex: number;
  rolloutId: string;
  /** What the agent did, as a hash of its calls and their ends. */
  signature: string;
  /** Its calls in their order, `get_order > refund_order`; empty without any. */
  shape: string;
  /** Why it may be asked again; null for one that went well. */
  aim: Aim | null;
  /** Criteria of its judge that it failed. */
  failedCriteria: readonly string[];
}

/** Tools of a sequence that are told apart; what comes behind makes no other shape. */
const LONGEST_SHAPE = 8;

export function observe(row: Row, task: number, rolloutIndex: number): Observation {
  const tools = stepsOf(row).flatMap(({ tool }) => textOf(tool) || []);
  const failedCriteria = Object.entries(row.markers ?? {}).flatMap(([name, value]) => (value === 0 ? name : []));
  return {
    ...{ task, rolloutIndex, rolloutId: textOf(row.rollout_id), signature: textOf(row.behavior_signature) },
    shape: tools.slice(0, LONGEST_SHAPE).join(" > "),
    aim: aimOf(row, failedCriteria),
    failedCriteria,
  };
}

function aimOf(row: Row, failedCriteria: readonly string[]): Aim | null {
  const isGraded = textOf(row.judge_status) === "";
  if (isGraded && typeof row.reward === "number" && row.reward < PASS_THRESHOLD) return "graded_failure";
  if (failedCriteria.length > 0) return "graded_failure";
  if (isObject(row.faults) && cleanFaults(row.faults) !== null) return "world_fault";
  if (stepsOf(row).some(({ result }) => toolFault(result) !== "")) return "world_fault";
  return row.finish_reason === "error" || row.finish_reason === "empty" ? "unattributed" : null;
}
