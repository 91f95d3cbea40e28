/** Why a run ended. */
export type StopWord =
  | "budget"
  | "tasks_done"
  | "situations_exhausted"
  | "saturation"
  | "ask_exhausted"
  | "writer_exhausted"
  | "time_budget"
  | "token_budget"
  | "cost_budget"
  | "agent_failed"
  | "empty_replies"
  | "aborted";

const WHOLE: ReadonlySet<StopWord> = new Set<StopWord>([
  ...(["budget", "tasks_done", "situations_exhausted", "saturation", "ask_exhausted", "writer_exhausted"] as const),
]);

/** Whether the run did what was planned: nothing that was begun was given up. */
export function isWhole(word: StopWord): boolean {
  return WHOLE.has(word);
}
