import { mcnemarExact, signFlipExact } from "@while/stats";

/** Two judges, right or wrong on the same rows. */
export interface PairedTest {
  onlyARight: number;
  onlyBRight: number;
  /** Exact McNemar: rows as the draws. */
  pValue: number;
  /** Exact sign flips of the difference of each task: tasks as the draws; null where no task has two rows. */
  pOverTasks: number | null;
}

/** That both are right as often, over rows and over tasks. */
export function pairedTest(ofA: readonly boolean[], ofB: readonly boolean[], tasks: readonly string[]): PairedTest {
  const onlyARight = ofA.filter((isRight, row) => isRight && !ofB[row]).length;
  const onlyBRight = ofB.filter((isRight, row) => isRight && !ofA[row]).length;
  const pValue = mcnemarExact(onlyARight, onlyBRight).pExact;
  return { onlyARight, onlyBRight, pValue, pOverTasks: overTasks(ofA, ofB, tasks) };
}

function overTasks(ofA: readonly boolean[], ofB: readonly boolean[], tasks: readonly string[]): number | null {
  const gaps = new Map<string, number>();
  for (const [i, task] of tasks.entries()) gaps.set(task, (gaps.get(task) ?? 0) + Number(ofA[i]) - Number(ofB[i]));
  return gaps.size === tasks.length ? null : signFlipExact([...gaps.values()]);
}
