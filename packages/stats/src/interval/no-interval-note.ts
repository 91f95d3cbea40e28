import { MIN_CI_TASKS } from "../constants.ts";

/** Why a number has no interval, and what would give it one. */
export function noIntervalNote(nTasks: number, quantity: string): string {
  const tasks = nTasks === 1 ? "1 task" : `${nTasks} tasks`;
  return (
    `no interval for ${quantity}: it rests on ${tasks} and the bootstrap resamples tasks, at least ${MIN_CI_TASKS} ` +
    "(add tasks, or give each row a task id of its own if rows are separate items)"
  );
}
