/** Why a run ended. */
export type StopWord =
  | "budget"
  | "tasks_done"
  | "situations_exhausted"
  | "time_budget"
  | "token_budget"
  | "cost_budget"
  | "agent_failed"
  | "empty_replies"
  | "aborted";

/** Whether the run did what was planned. */
export function isWhole(word: StopWord): boolean {
  return word === "budget" || word === "tasks_done" || word === "situations_exhausted";
}
