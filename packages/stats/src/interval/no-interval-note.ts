import { MIN_CI_TASKS } from "../constants.ts";
import { countOf } from "../count-of.ts";

/** Why a number has no interval, and what would give it one. */
export function noIntervalNote(nTasks: number, quantity: string): string {
  return (
    `no interval for ${quantity}: it rests on ${countOf(nTasks, "task")} and the bootstrap resamples tasks, at least ${MIN_CI_TASKS} ` +
    "(add tasks, or give each row a task id of its own if rows are separate items)"
  );
}
