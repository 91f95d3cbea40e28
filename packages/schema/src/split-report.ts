import type { HoldoutSplit } from "./split-holdout.ts";
import { groupByTask } from "./task-key.ts";
import { formatPercent } from "./text/format-number.ts";

export interface SplitReport {
  /** What was asked for; the share of tasks meets it on average over many tasks. */
  fraction: number;
  nTrain: number;
  nHoldout: number;
  nTrainTasks: number;
  nHoldoutTasks: number;
  /** Rows that name no task: they lie on one side together, and are counted as no task. */
  nWithoutKey: number;
}

/** How many rows and tasks lie on either side of a split. */
export function splitReport({ train, holdout }: HoldoutSplit, fraction: number): SplitReport {
  const [kept, held] = [groupByTask(train), groupByTask(holdout)];
  return {
    fraction,
    nTrain: train.length,
    nHoldout: holdout.length,
    nTrainTasks: kept.groups.size - kept.nWithoutKey,
    nHoldoutTasks: held.groups.size - held.nWithoutKey,
    nWithoutKey: kept.nWithoutKey + held.nWithoutKey,
  };
}

/** The two sides in a line, and what to mind. */
export function formatSplit({ fraction, nTrain, nHoldout, ...tasks }: SplitReport): string {
  const all = tasks.nTrainTasks + tasks.nHoldoutTasks;
  const lines = [
    `held out ${tasks.nHoldoutTasks} of ${all} tasks (${formatPercent(all === 0 ? 0 : tasks.nHoldoutTasks / all)}, ` +
      `asked for ${formatPercent(fraction)}): ${nHoldout} rows; ${nTrain} rows in ${tasks.nTrainTasks} tasks to train on`,
  ];
  if (tasks.nHoldoutTasks === 0) {
    lines.push("! no task lies on the held-out side: bring more tasks, or hold out a larger share");
  }
  if (tasks.nWithoutKey > 0) {
    lines.push(`! ${tasks.nWithoutKey} rows name no task and lie on one side together: give rows a scenario_id`);
  }
  return lines.join("\n");
}
