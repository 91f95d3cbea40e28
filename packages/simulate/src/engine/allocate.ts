import type { RolloutKey } from "./task.ts";

/** How a rollout came to be: `continued` ones hang on what the probe rollouts showed, and bias a pass rate. */
type Allocation = "fixed" | "probe" | "continued";

export interface AllocatedRollout extends RolloutKey {
  allocation: Allocation;
}

/** What an allocator learns of a rollout that is done; label is null for one that was lost or cut. */
export interface Landing {
  key: RolloutKey;
  label: string | number | null;
  /** It shows something to look at again. */
  wentWrong?: boolean;
}

/** Hands rollouts out in waves. A wave hangs on the set of all landings before it, and not on the order in which they came. */
export interface Allocator {
  /** The next wave; null at the end. */
  next(landings: readonly Landing[]): Iterable<AllocatedRollout> | null;
}

/** k rollouts of every task, in every run from `firstRun` on, all at once. */
export function allocateFixed({
  nTasks,
  k,
  firstRun = 0,
  runs,
  budget,
}: {
  nTasks: number;
  k: number;
  firstRun?: number;
  runs: number;
  budget: number;
}): Allocator {
  let isDone = false;
  return {
    next() {
      if (isDone) return null;
      isDone = true;
      return fixedKeys(nTasks, k, { firstRun, runs }, budget);
    },
  };
}

function* fixedKeys(
  nTasks: number,
  k: number,
  { firstRun, runs }: { firstRun: number; runs: number },
  budget: number,
): Generator<AllocatedRollout> {
  for (let evalRun = firstRun; evalRun < runs; evalRun++) {
    let left = budget;
    for (let task = 0; task < nTasks; task++) {
      for (let rolloutIndex = 0; rolloutIndex < k && left > 0; rolloutIndex++, left--) {
        yield { task, rolloutIndex, evalRun, allocation: "fixed" };
      }
    }
  }
}
