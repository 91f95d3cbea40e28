import { compareCodePoints, groupByTask, isObject, type Row, textOf } from "@while/schema";
import { labelsOf, passesIn } from "../groups/task-pass-rates.ts";
import { type Band, bandSide } from "../groups/trim-out-of-band.ts";
import {
  type CurriculumOptions,
  type CurriculumSettings,
  curriculumSettings,
  type Membership,
} from "./curriculum-options.ts";
import { type TaskPrior, taskPrior } from "./task-prior.ts";
import { type Place, placeOf, rolloutsToSettle, type TaskStanding, taskStanding } from "./task-standing.ts";

export interface Curriculum {
  nTasks: number;
  nTrainable: number;
  nSolved: number;
  nNotReady: number;
  /** Tasks with fewer than `minRollouts` labels; those without one are in `nUnlabeled`. */
  nThin: number;
  nUnlabeled: number;
  /** Trainable tasks whose measured rate lies in the band. */
  nInBand: number;
  thresholds: { solved: number; floor: number; band: Band; minRollouts: number };
  membership: Membership;
  /** null by `point`. */
  confidence: number | null;
  /** What the tasks together say of a new one. */
  prior: TaskPrior;
  /** Task ids, easy first. */
  schedule: string[];
  trainable: TaskStanding[];
  retired: TaskStanding[];
  notReady: TaskStanding[];
  thin: TaskStanding[];
  /** The schedule in parts. Tasks of one rate are not split over two, unless by `point`. */
  tiers: TaskStanding[][];
  /**
   * By `posterior`: tasks whose place is in doubt, the cheapest to settle first, with the rollouts likely to do it
   * (null: more than 64).
   */
  needsRollouts: { taskId: string; more: number | null }[];
}

/**
 * Which tasks to train on and in what order: those neither solved nor out of reach, easy first (Lambert 2025, chapter
 * Reasoning). By default a task is retired or held back only when that is likely enough given its labels and what the
 * other tasks are like; the measured rate alone sends tasks away for luck.
 *
 * @throws SelectError `bad_option`, `bad_band`
 */
export function curriculum(rows: readonly Row[], options: CurriculumOptions = {}): Curriculum {
  const settings = curriculumSettings(options);
  const groups = groupByTask(rows.filter(isObject)).groups;
  const measured = [...groups].flatMap(([taskId, group]) => {
    const labels = labelsOf(group);
    const prompt = group.map((row) => textOf(row.prompt)).find((text) => text !== "") ?? "";
    return labels.length === 0 ? [] : [{ taskId, prompt, passes: passesIn(labels), n: labels.length }];
  });
  const prior = taskPrior(measured);
  const before = new Set(settings.retired);
  const places: Record<Place, TaskStanding[]> = { trainable: [], retired: [], not_ready: [], thin: [] };
  for (const task of measured) {
    const standing = taskStanding(task, prior, settings);
    places[placeOf(standing, settings, before.has(task.taskId))].push(standing);
  }
  const { retired, not_ready: notReady, thin } = places;
  const rate = rateBy(settings.membership);
  const trainable = places.trainable.sort((x, y) => rate(y) - rate(x) || compareCodePoints(x.taskId, y.taskId));
  return {
    nTasks: measured.length,
    nTrainable: trainable.length,
    nSolved: retired.length,
    nNotReady: notReady.length,
    nThin: thin.length,
    nUnlabeled: groups.size - measured.length,
    nInBand: trainable.filter(({ passRate }) => bandSide(passRate, settings.band) === null).length,
    thresholds: {
      solved: settings.solved,
      floor: settings.floor,
      band: settings.band,
      minRollouts: settings.minRollouts,
    },
    membership: settings.membership,
    confidence: settings.membership === "posterior" ? settings.confidence : null,
    prior,
    schedule: trainable.map(({ taskId }) => taskId),
    trainable,
    retired,
    notReady,
    thin,
    tiers: tiersOf(trainable, settings),
    needsRollouts: settings.membership === "point" ? [] : doubtful([...trainable, ...thin], prior, settings),
  };
}

/**
 * The rows without those of retired tasks; tasks with too few labels stay.
 *
 * @throws SelectError as `curriculum`
 */
export function retireSolved(rows: readonly Row[], options: CurriculumOptions = {}): Row[] {
  const retired = new Set(curriculum(rows, options).retired.map(({ taskId }) => taskId));
  const gone = new Set<Row>();
  for (const [task, group] of groupByTask(rows.filter(isObject)).groups) {
    if (retired.has(task)) for (const row of group) gone.add(row);
  }
  return rows.filter((row) => !gone.has(row));
}

/** The rows of the trainable tasks, task after task in the order of the schedule. */
export function scheduledRows(rows: readonly Row[], { schedule }: Pick<Curriculum, "schedule">): Row[] {
  const { groups } = groupByTask(rows.filter(isObject));
  return schedule.flatMap((task) => groups.get(task) ?? []);
}

function rateBy(membership: Membership): (task: TaskStanding) => number {
  return membership === "point" ? ({ passRate }) => passRate : ({ expectedRate }) => expectedRate;
}

function tiersOf(trainable: readonly TaskStanding[], { tiers, membership }: CurriculumSettings): TaskStanding[][] {
  const buckets: TaskStanding[][] = Array.from({ length: tiers }, () => []);
  const step = trainable.length / tiers;
  const rate = rateBy(membership);
  let first = 0;
  for (const [i, task] of trainable.entries()) {
    const sameRate = i > 0 && rate(task) === rate(trainable[i - 1]!);
    if (membership === "point" || !sameRate) first = i;
    buckets[Math.min(tiers - 1, Math.floor(first / step))]!.push(task);
  }
  return buckets;
}

function doubtful(
  tasks: readonly TaskStanding[],
  prior: TaskPrior,
  settings: CurriculumSettings,
): { taskId: string; more: number | null }[] {
  return tasks
    .map((task) => ({ taskId: task.taskId, more: rolloutsToSettle(task, prior, settings) }))
    .filter(({ more }) => more !== 0)
    .sort((x, y) => (x.more ?? Infinity) - (y.more ?? Infinity) || compareCodePoints(x.taskId, y.taskId));
}
