import { wordDraw } from "../draw.ts";

/** Rollouts of a task: those that were lost, and all. */
export interface TaskLoss {
  lost: number;
  rollouts: number;
}

const ARRANGEMENTS = 999;
/** Draws in all; with many losses fewer arrangements say as much. */
const MOST_DRAWS = 100_000;
const FEWEST_ARRANGEMENTS = 99;

/**
 * Whether what was lost hangs on the task: the chance that as many pairs of lost rollouts share a task when the same
 * number is lost anywhere (permutation test; the observed arrangement counts as one, Phipson and Smyth 2010). Small, and
 * a rate over the rest is one over other tasks than were asked for.
 *
 * @returns null with fewer than two losses, or tasks; or when everything was lost
 */
export function lossByTaskP(tasks: readonly TaskLoss[]): number | null {
  const nLost = tasks.reduce((sum, { lost }) => sum + lost, 0);
  const taskOf = tasks.flatMap(({ rollouts }, task) => Array.from({ length: rollouts }, () => task));
  if (nLost < 2 || tasks.length < 2 || nLost >= taskOf.length) return null;
  const observed = pairs(tasks.map(({ lost }) => lost));
  const n = Math.max(FEWEST_ARRANGEMENTS, Math.min(ARRANGEMENTS, Math.floor(MOST_DRAWS / nLost)));
  let asMany = 1;
  for (let draw = 0; draw < n; draw++) {
    // Only tasks with losses: there may be many without.
    const counts = new Map<number, number>();
    // The first places of a shuffle (Fisher and Yates): what a place held before goes where it took from.
    const moved = new Map<number, number>();
    for (let place = 0; place < nLost; place++) {
      const from = place + (wordDraw(`loss:${draw}:${place}`) % (taskOf.length - place));
      const task = taskOf[moved.get(from) ?? from]!;
      counts.set(task, (counts.get(task) ?? 0) + 1);
      moved.set(from, moved.get(place) ?? place);
    }
    if (pairs([...counts.values()]) >= observed) asMany++;
  }
  return asMany / (n + 1);
}

function pairs(counts: readonly number[]): number {
  return counts.reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
}
