import { checkOptions, isObject, type Row, roundHalfEven } from "@while/schema";
import { DIFFICULTY_BAND } from "@while/stats";
import { checkRows, type Source, sourceParts } from "../source.ts";
import { invalidOption } from "../training-rows.ts";
import type { Split, Task, TaskCalibration, TaskInfo } from "./task.ts";
import { heldOutKeys } from "./task-side.ts";
import { type TaskGroup, TaskTable, taskIdOf } from "./task-table.ts";

/** What a check of the training tasks against the held-out ones found. */
export interface TaskOverlap {
  nContaminated: number;
  contaminationRate: number;
  /** The first few training prompts that overlap. */
  examples: readonly unknown[];
}

/** Looks for held-out prompts among the training ones; `decontaminate` of `@while/trust` does it. */
export type OverlapCheck = (
  train: readonly { prompt: string }[],
  holdout: readonly { prompt: string }[],
  options: { ngram: number },
) => TaskOverlap;

export interface BuildTasksOptions {
  /** Share of tasks to hold out, 0 to 1, or the prompts to hold out. */
  holdout?: number | readonly string[];
  /** Pass rates that a training task may have, both ends inside; null keeps all. */
  band?: readonly [number, number] | null;
  /**
   * `point` drops a task whose measured rate lies outside the band, `interval` only one whose 80 % interval does: at
   * two rollouts half of the tasks with a true rate of 0.5 have a measured one of 0 or 1.
   */
  bandBy?: "point" | "interval";
  /** How a share is drawn: by the hash of each task alone, or evenly over easy, middling and hard ones. */
  split?: "hash" | "stratified";
  /** Words of the overlap check. */
  ngram?: number;
  decontaminate?: OverlapCheck;
}

export const BUILD_TASKS_OPTIONS: readonly string[] = [
  ...["holdout", "band", "bandBy", "split", "ngram", "decontaminate"],
];

export interface TasksReport {
  /** Prompts of the source, each scenario's its own. */
  prompts: number;
  /** Tasks that are left: `train` and `holdout` together. */
  tasks: number;
  train: number;
  holdout: number;
  /** Prompts with two rewards or more, and those of them whose rewards differ. */
  gradedPrompts: number;
  gradedMixed: number;
  band: readonly [number, number] | null;
  bandBy: "point" | "interval";
  bandDropped: number;
  /** Rows without a prompt. */
  noPrompt: number;
  /** Prompts that stand under several scenarios. */
  sharedPrompts: number;
  /** Scenarios whose rows name both sides (`purpose`), held out now. */
  sideConflicts: number;
  /**
   * Mean over calibrated training tasks of the chance that 8 rollouts differ in outcome, 1 - p^8 - (1-p)^8: the share of
   * groups that a grouped trainer learns from. null without one.
   */
  expectedInformativeShare: number | null;
  /** null when nobody looked. */
  decontamination: ({ ngram: number } & TaskOverlap) | null;
  warnings: { code: string; text: string }[];
}

/** Tasks of both sides, in the order of the source. */
export interface Tasks {
  train: Task[];
  holdout: Task[];
  report: TasksReport;
}

/** Rollouts of a group, for the share of groups that are expected to differ. */
const GROUP_SIZE = 8;
/** Both sides of an 80 % interval. */
const Z_80 = 1.2816;
const EXAMPLES = 3;
const DEFAULT_BAND: readonly [number, number] = [DIFFICULTY_BAND.lo, DIFFICULTY_BAND.hi];

/** What travels in `info` where a row has it. */
const INFO_KEYS = [
  ...["scenario_dimensions", "stance", "tier", "history", "tool_condition", "ask_family", "intent_known"],
  "tool_known",
] as const;

/**
 * The tasks that rollouts were made on, each once, with what a world needs to set it up and how often the agent solved
 * it; one part held out. Grouped sampling learns only where outcomes differ, so training tasks outside the band are
 * dropped. Rows that say which side they belong to (`purpose`) stay there.
 *
 * @throws ExportError `invalid_option`
 */
export function buildTasks(source: Source, options: BuildTasksOptions = {}): Tasks {
  checkTasksOptions(options);
  const { rows } = sourceParts<Iterable<Row>>(source);
  checkRows(rows);
  const table = new TaskTable();
  for (const row of rows) table.add(row);
  return tasksOf(table, options);
}

/** The same of rows that were added one at a time. */
export function tasksOf({ groups, noPrompt }: TaskTable, options: BuildTasksOptions): Tasks {
  const { holdout = 0.2, band = DEFAULT_BAND, bandBy = "point", split = "hash", ngram = 8 } = options;
  const kept = groups.filter(({ calibration }) => band === null || isInBand(calibration, band, bandBy));
  const { isHeldOut, sideConflicts } = sides(kept, holdout, split);
  const tasks = kept.map((group) => taskOf(group, isHeldOut(group) ? "holdout" : "train"));
  const train = tasks.filter(({ info }) => info.split === "train");
  const held = tasks.filter(({ info }) => info.split === "holdout");
  const prompts = new Set(groups.map(({ prompt }) => prompt)).size;
  const report: TasksReport = {
    prompts: groups.length,
    tasks: tasks.length,
    train: train.length,
    holdout: held.length,
    gradedPrompts: groups.filter(({ calibration }) => calibration !== null).length,
    gradedMixed: groups.filter(({ rewards }) => rewards.length > 1 && Math.min(...rewards) < Math.max(...rewards))
      .length,
    band,
    bandBy,
    bandDropped: groups.length - kept.length,
    noPrompt,
    sharedPrompts: groups.length - prompts,
    sideConflicts,
    expectedInformativeShare: informativeShare(train),
    decontamination: overlap(train, held, ngram, options.decontaminate),
    warnings: [],
  };
  report.warnings = warningsOf(report, holdout);
  return { train, holdout: held, report };
}

/** @throws ExportError `invalid_option` */
export function checkTasksOptions(options: BuildTasksOptions): void {
  checkOptions(options, BUILD_TASKS_OPTIONS, invalidOption);
  const { holdout = 0.2, band, bandBy, split, ngram = 8 } = options;
  const isShare = typeof holdout === "number" && holdout >= 0 && holdout <= 1;
  const isList = Array.isArray(holdout) && holdout.every((prompt) => typeof prompt === "string");
  if (!isShare && !isList) {
    throw invalidOption(`holdout is ${JSON.stringify(holdout)}.`, "Give a share from 0 to 1, or a list of prompts.");
  }
  if (band !== undefined && band !== null && !isBand(band)) {
    throw invalidOption(`band is ${JSON.stringify(band)}.`, "Give two pass rates, the lower first, or null.");
  }
  if (bandBy !== undefined && !["point", "interval"].includes(bandBy)) {
    throw invalidOption(`bandBy is ${JSON.stringify(bandBy)}.`, "Give point or interval.");
  }
  if (split !== undefined && !["hash", "stratified"].includes(split)) {
    throw invalidOption(`split is ${JSON.stringify(split)}.`, "Give hash or stratified.");
  }
  if (!Number.isInteger(ngram) || ngram < 1) throw invalidOption(`ngram is ${ngram}.`, "Give a whole number from 1.");
}

function isBand(band: unknown): band is readonly [number, number] {
  if (!Array.isArray(band) || band.length !== 2) return false;
  const [low, high] = band;
  return typeof low === "number" && typeof high === "number" && low <= high;
}

/** One rollout says too little to drop a task for. */
function isInBand(
  calibration: TaskCalibration | null,
  [low, high]: readonly [number, number],
  bandBy: "point" | "interval",
): boolean {
  if (calibration === null) return true;
  const { pass_rate: rate, n } = calibration;
  if (bandBy === "point") return rate >= low && rate <= high;
  // Wilson 1927. Partial credit varies less than passes and fails of the same mean, so it is too wide rather than too narrow.
  const shrink = 1 + Z_80 ** 2 / n;
  const centre = (rate + Z_80 ** 2 / (2 * n)) / shrink;
  const half = (Z_80 / shrink) * Math.sqrt((rate * (1 - rate)) / n + Z_80 ** 2 / (4 * n ** 2));
  return centre + half >= low && centre - half <= high;
}

function sides(
  groups: readonly TaskGroup[],
  holdout: number | readonly string[],
  split: "hash" | "stratified",
): { isHeldOut: (group: TaskGroup) => boolean; sideConflicts: number } {
  const named = new Map<string, Set<Split>>();
  for (const { key, purposes } of groups) {
    const known = named.get(key) ?? new Set();
    for (const purpose of purposes) known.add(purpose);
    named.set(key, known);
  }
  const conflicts = new Set<string>();
  for (const [key, purposes] of named) if (purposes.size > 1) conflicts.add(key);
  const isNamedHoldout = ({ key }: TaskGroup) => named.get(key)!.has("holdout");
  if (typeof holdout !== "number") {
    const listed = new Set(holdout.map(spoken));
    for (const { key, prompt } of groups) {
      if (listed.has(spoken(prompt)) && named.get(key)!.has("train")) conflicts.add(key);
    }
    return {
      isHeldOut: (group) => listed.has(spoken(group.prompt)) || isNamedHoldout(group),
      sideConflicts: conflicts.size,
    };
  }
  const free = groups.filter(({ key }) => named.get(key)!.size === 0);
  const drawn = heldOutKeys(
    free.map(({ key, calibration }) => ({ key, passRate: calibration?.pass_rate ?? null })),
    holdout,
    split,
  );
  return { isHeldOut: (group) => drawn.has(group.key) || isNamedHoldout(group), sideConflicts: conflicts.size };
}

/** A prompt as it is compared: without case, blanks collapsed. */
function spoken(prompt: string): string {
  return prompt.trim().toLowerCase().replace(/\s+/g, " ");
}

function taskOf({ scenario, prompt, first, calibration }: TaskGroup, split: Split): Task {
  const id = taskIdOf({ scenario, prompt });
  const info: TaskInfo = {
    task_id: id,
    scenario_id: scenario === "" ? null : scenario,
    seed: typeof first.seed === "number" ? first.seed : null,
    world_state: first.world_state ?? "",
    faults: first.faults ?? {},
    split,
  };
  for (const key of INFO_KEYS) if (first[key] !== null && first[key] !== undefined) info[key] = first[key];
  if (isObject(first.privileged)) info.privileged = first.privileged;
  if (calibration !== null) info.calibration = calibration;
  return { prompt, info, example_id: id };
}

function informativeShare(train: readonly Task[]): number | null {
  const rates = train.flatMap(({ info: { calibration } }) =>
    calibration === undefined ? [] : [calibration.pass_rate],
  );
  if (rates.length === 0) return null;
  const shares = rates.map((p) => 1 - p ** GROUP_SIZE - (1 - p) ** GROUP_SIZE);
  return roundHalfEven(
    shares.reduce((sum, share) => sum + share / rates.length, 0),
    4,
  );
}

function overlap(
  train: readonly Task[],
  holdout: readonly Task[],
  ngram: number,
  decontaminate: OverlapCheck | undefined,
): TasksReport["decontamination"] {
  if (decontaminate === undefined || holdout.length === 0) return null;
  const { nContaminated, contaminationRate, examples } = decontaminate(train, holdout, { ngram });
  return { nContaminated, contaminationRate, ngram, examples: examples.slice(0, EXAMPLES) };
}

function warningsOf(
  { tasks, train, holdout: held, prompts, bandDropped, gradedPrompts, gradedMixed, ...report }: TasksReport,
  holdout: number | readonly string[],
): TasksReport["warnings"] {
  const wanted = typeof holdout === "number" ? holdout > 0 : holdout.length > 0;
  const found: [string, boolean, string][] = [
    [
      "holdout_empty",
      wanted && held === 0 && tasks > 0,
      typeof holdout === "number"
        ? `No task of ${tasks} is held out, though ${holdout} were to be: the hash of few tasks is a matter of luck. Use split: "stratified".`
        : `None of the ${holdout.length} prompts to hold out is among the ${tasks} tasks.`,
    ],
    [
      "no_train_tasks",
      train === 0 && prompts > 0,
      `No task is left to train on: the band took ${bandDropped} of ${prompts}, ${held} are held out.`,
    ],
    [
      "no_mixed_groups",
      train > 0 && gradedMixed === 0,
      gradedPrompts === 0
        ? "No task has two rewards, so nobody knows which ones teach: roll out and grade each a few times first."
        : `None of ${gradedPrompts} graded tasks has rewards that differ: a grouped trainer learns nothing from them.`,
    ],
    [
      "decontamination_not_run",
      held > 0 && report.decontamination === null,
      "Nobody looked whether held-out prompts are among the training ones: pass decontaminate.",
    ],
    [
      "contaminated",
      (report.decontamination?.nContaminated ?? 0) > 0,
      `${report.decontamination?.nContaminated} training prompts overlap with held-out ones.`,
    ],
    [
      "side_conflicts",
      report.sideConflicts > 0,
      `${report.sideConflicts} scenarios have rows of both sides (purpose); they are held out.`,
    ],
    ["no_prompt", report.noPrompt > 0, `${report.noPrompt} rows have no prompt and make no task.`],
  ];
  return found.flatMap(([code, applies, text]) => (applies ? [{ code, text }] : []));
}
