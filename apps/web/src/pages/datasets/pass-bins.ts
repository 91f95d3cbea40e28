import type { Profile } from "@while/platform-client/contract";

/** Pass rates that a grouped update learns from most. */
export const BAND = [0.2, 0.8] as const;

export interface PassBin {
  /** `3/8`, or `30 to 40%` where tasks have unlike numbers of rollouts. */
  label: string;
  /** As it is read: "3 of 8". */
  says: string;
  tasks: number;
  kind: "none" | "outside" | "inside" | "all";
}

export interface PassBins {
  bins: PassBin[];
  /** Where a rate stands along the bins, in bins from the left edge of the first. */
  place: (rate: number) => number;
  /** Tasks with at least two graded rollouts: the ones that have a rate. */
  tasks: number;
  inBand: number;
  /** Graded rollouts of each task; null where they differ. */
  k: number | null;
}

/** More bins than this do not stand beside each other with a number on each. */
const MOST_ROLLOUTS = 12;
/** A rate of 0.2 that a division made a hair less of is still 0.2. */
const SLACK = 1e-9;

/**
 * Tasks by the share of their rollouts that pass. Where every task has the same number of graded rollouts there is a bin
 * for each count; else tenths, with bins of their own for tasks that never and that always pass.
 *
 * @returns null where no task has two graded rollouts, or where the profile does not list every task
 */
export function passBins({
  per_task,
  per_task_complete,
}: Pick<Profile, "per_task" | "per_task_complete">): PassBins | null {
  const rated = per_task.filter(({ graded }) => graded >= 2);
  if (!per_task_complete || rated.length === 0) return null;
  const counts = new Set(rated.map(({ graded }) => graded));
  const k = counts.size === 1 ? rated[0]!.graded : null;
  const inBand = rated.filter((task) => isInside(task.passed / task.graded)).length;
  const shape = { tasks: rated.length, inBand, k };
  if (k !== null && k <= MOST_ROLLOUTS) {
    const bins = Array.from({ length: k + 1 }, (_, passed): PassBin => {
      const tasks = rated.filter((task) => task.passed === passed).length;
      return { label: `${passed}/${k}`, says: `${passed} of ${k}`, tasks, kind: kindOf(passed / k) };
    });
    return { ...shape, bins, place: (rate) => rate * k + 0.5 };
  }
  const tenths = Array.from({ length: 10 }, (_, tenth): PassBin => {
    const [from, to] = [10 * tenth, 10 * (tenth + 1)];
    const tasks = rated.filter(
      (task) => task.passed > 0 && task.passed < task.graded && tenthOf(task) === tenth,
    ).length;
    const kind = from >= 100 * BAND[0] && to <= 100 * BAND[1] ? "inside" : "outside";
    return { label: `${from}–${to}%`, says: `${from} to ${to}%`, tasks, kind };
  });
  const none = rated.filter(({ passed }) => passed === 0).length;
  const all = rated.filter(({ passed, graded }) => passed === graded).length;
  const bins: PassBin[] = [
    { label: "none", says: "none", tasks: none, kind: "none" },
    ...tenths,
    { label: "all", says: "all", tasks: all, kind: "all" },
  ];
  return { ...shape, bins, place: (rate) => 1 + 10 * rate };
}

function tenthOf({ passed, graded }: { passed: number; graded: number }): number {
  return Math.min(9, Math.floor(10 * (passed / graded) + SLACK));
}

function isInside(rate: number): boolean {
  return rate >= BAND[0] - SLACK && rate <= BAND[1] + SLACK;
}

function kindOf(rate: number): PassBin["kind"] {
  return rate === 0 ? "none" : rate === 1 ? "all" : isInside(rate) ? "inside" : "outside";
}
