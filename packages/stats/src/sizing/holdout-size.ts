import { checkOptions, formatFixed, formatPercent, type Row, roundHalfEven } from "@while/schema";
import {
  ALPHA,
  BASE_PASS_RATE,
  CEILING_PASS_RATE,
  MIN_CI_TASKS,
  MIN_HOLDOUT_TASKS,
  POWER,
  ROLLOUTS_PER_TASK,
  THRESHOLD_SLACK,
} from "../constants.ts";
import { countOf } from "../count-of.ts";
import { checkInference, type Inference } from "../inference.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { holdoutSizeT, normalSize } from "./holdout-size-t.ts";
import { independenceRatio } from "./independence-ratio.ts";
import { checkEffect, checkPower, type PowerOptions } from "./power-options.ts";
import { keyedRows, rateOf, rolloutsPerTask, type TaskRate, taskRates } from "./task-rates.ts";
import { concentratedTaskSd, pairedTaskSd } from "./task-sd.ts";

export interface HoldoutSizeOptions extends PowerOptions {
  /** Pass rate before, where no rows measure it. */
  base?: number | undefined;
  /** Rollouts a task on each arm, where no rows say. */
  k?: number | undefined;
  /** Rows of the agent as it is: its pass rate, rollouts a task, and how much tasks differ. */
  before?: readonly Row[] | undefined;
  /** Rows of a changed agent on the same tasks: then the spread is measured, not modelled. */
  after?: readonly Row[] | undefined;
  /** Standard deviation of a task's difference, if known: (high - low) √n / 3.92 of a 95% interval over n tasks. */
  taskStd?: number | undefined;
  /** Guards beside the target: each has to show a drop as large, with a p-value that stands among them. */
  guards?: number | undefined;
  /** Pass rate from which rows cannot size a set. */
  ceilingPassRate?: number;
  inference?: Inference;
}

export type HoldoutWarningCode = "ceiling" | "degenerate";

export interface HoldoutSize {
  inference: Inference;
  /** Tasks that prove `effect`: of the paired t test, in compat of the normal formula. */
  nTasks: number;
  /** Of the normal formula, which takes the spread for known. */
  nNormal: number;
  effect: number;
  /** Pass rate before, measured where `before` was given. */
  base: number;
  /** Rollouts a task; the harmonic mean of the rows' (compat: the smallest). */
  k: number;
  power: number;
  alpha: number;
  /** Standard deviation of a task's difference that the answer rests on. */
  taskStd: number;
  sdSource: "rows" | "given" | "model";
  /** Half the interval that `nTasks` will have. */
  halfWidth: number;
  /** Tasks if the gain sits in few of them; null where the spread is not modelled. */
  nTasksConcentrated: number | null;
  /** Tasks on which each guard shows a drop of `effect`, at alpha divided by their number; null without guards. */
  nTasksGuards: number | null;
  /** Standard deviation of the tasks' pass rates before; null without `before` or with one task. */
  baseSpread: number | null;
  /** By what factor the model over-asks on such tasks; null where it is undefined. */
  independenceRatio: number | null;
  /** Tasks behind a measured spread. */
  nPaired: number | null;
  /** Nothing here can size a set: too near the ceiling, or no task moved differently. The model answers instead. */
  saturated: boolean;
  notes: string[];
  warnings: Warning<HoldoutWarningCode>[];
}

const OPTIONS = ["base", "k", "power", "alpha", "before", "after", "taskStd", "guards", "ceilingPassRate", "inference"];

/**
 * How many tasks a held-out set needs to prove a gain of `effect`, tried in pairs (each task before and after). From
 * rows of both arms the spread is measured; else it is modelled, which errs either way.
 *
 * Compat takes the normal formula, two to a few tasks too low, and answers for gains that the base leaves no room for.
 *
 * A base of 1 leaves no gain to prove: `saturated`, as for rows near the ceiling (strict).
 *
 * @param effect The gain to prove, between 0 and 1: 0.05 for five points
 * @throws StatsError `bad_effect`, also for a gain beyond 1 - base (strict); `bad_probability`, `bad_value`,
 *   `bad_option`; `no_rows` when `before` has no row graded 0 or 1; `too_few_tasks` under three shared tasks
 */
export function holdoutSize(effect: number, options: HoldoutSizeOptions = {}): HoldoutSize {
  const given = checked(effect, options);
  const { inference, power, alpha } = given;
  const basis = basisOf(effect, given);
  const { sd, sdSource, modelBase, measured, warnings } = basis;
  const sizeOf = (taskStd: number, at: number = alpha): { nTasks: number; nNormal: number } => {
    if (inference === "strict") return holdoutSizeT(taskStd, effect, { power, alpha: at });
    const nNormal = normalSize(taskStd, effect, { power, alpha: at });
    return { nTasks: nNormal, nNormal };
  };
  const { nTasks, nNormal } = sizeOf(sd);
  const isModel = sdSource === "model";
  const concentrated = isModel ? sizeOf(concentratedTaskSd(modelBase, effect, basis.k)).nTasks : null;
  const { guards = 0 } = given;
  const quantile = inference === "strict" ? tQuantile(nTasks - 1, 1 - alpha) : normalQuantile(1 - alpha / 2);
  const spread = measured === null ? null : sampleSd(measured);
  const ratio = measured === null ? null : independenceRatio(measured);
  const round = (x: number | null) => (x === null || inference === "strict" ? x : roundHalfEven(x, 4));
  return {
    inference,
    nTasks,
    nNormal,
    effect,
    base: basis.base,
    k: basis.k,
    power,
    alpha,
    taskStd: round(sd)!,
    sdSource,
    halfWidth: round((quantile * sd) / Math.sqrt(nTasks))!,
    nTasksConcentrated: concentrated,
    nTasksGuards: guards === 0 ? null : sizeOf(sd, alpha / guards).nTasks,
    baseSpread: round(spread),
    independenceRatio: round(ratio),
    nPaired: basis.nPaired,
    saturated: warnings.length > 0,
    notes: notesOf({ ...basis, spread, ratio, concentrated }),
    warnings,
  };
}

type Checked = Required<Pick<HoldoutSizeOptions, "power" | "alpha" | "ceilingPassRate" | "inference">> &
  HoldoutSizeOptions;

function checked(effect: number, options: HoldoutSizeOptions): Checked {
  checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
  const { power = POWER, alpha = ALPHA, ceilingPassRate = CEILING_PASS_RATE, inference = "strict" } = options;
  checkInference(inference);
  checkEffect(effect);
  checkPower({ power, alpha });
  const { taskStd, k, before, after, guards = 0 } = options;
  if (!Number.isSafeInteger(guards) || guards < 0) {
    throw new StatsError("bad_value", `guards is ${guards}.`, "Pass how many guards there are, 0 or more.");
  }
  if (taskStd !== undefined && !(taskStd > 0 && Number.isFinite(taskStd))) {
    throw new StatsError("bad_value", `taskStd is ${taskStd}.`, "Pass a standard deviation above 0.");
  }
  if (k !== undefined && !(Number.isSafeInteger(k) && k >= 1)) {
    throw new StatsError("bad_value", `k is ${k}.`, "Pass a whole number of rollouts a task, 1 or more.");
  }
  if (after !== undefined && before === undefined) {
    throw new StatsError(
      "bad_option",
      "after was given without before.",
      "Pass the rows of both arms, or before alone.",
    );
  }
  return { ...options, power, alpha, ceilingPassRate, inference };
}

/** What the answer rests on. */
interface Basis {
  sd: number;
  sdSource: HoldoutSize["sdSource"];
  base: number;
  k: number;
  /** Base of the model: not the measured one where that is saturated. */
  modelBase: number;
  /** Pass rates of the tasks before. */
  measured: number[] | null;
  nPaired: number | null;
  warnings: Warning<HoldoutWarningCode>[];
}

function basisOf(effect: number, options: Checked): Basis {
  const { taskStd, before, after, inference, ceilingPassRate } = options;
  const none = { measured: null, nPaired: null, warnings: [] };
  if (before === undefined) {
    const { base = BASE_PASS_RATE, k = ROLLOUTS_PER_TASK } = options;
    const model = pairedTaskSd(base, effect, k);
    if (taskStd !== undefined) return { ...none, sd: taskStd, sdSource: "given", base, k, modelBase: base };
    if (base === 1 && inference === "strict") return { ...saturatedAt({ base, effect, k }), measured: null };
    refuseBeyondRoom(effect, base, inference);
    return { ...none, sd: model, sdSource: "model", base, k, modelBase: base };
  }
  const rates = taskRates(before, inference);
  if (rates.size === 0) {
    throw new StatsError(
      "no_rows",
      "No row of before has a reward of 0 or 1.",
      "Grade the rows first, or pass base and k instead.",
    );
  }
  const tasks = [...rates.values()];
  const measured = tasks.map(rateOf);
  const alone = {
    base: mean(measured)!,
    k: rolloutsPerTask(
      tasks.map(({ n }) => n),
      inference,
    ),
  };
  if (taskStd !== undefined) {
    return { ...none, ...alone, measured, sd: taskStd, sdSource: "given", modelBase: alone.base };
  }
  const pairs = after === undefined ? null : pairsOf(before, after, inference);
  const { base, k } = pairs ?? alone;
  const sd = pairs === null ? pairedTaskSd(base, effect, k) : pairs.sd;
  if (base >= ceilingPassRate - THRESHOLD_SLACK || sd <= 0) {
    const warning = base >= ceilingPassRate - THRESHOLD_SLACK ? ceiling(base, effect) : degenerate(base);
    return { ...saturatedAt({ base, effect, k, warning }), measured };
  }
  if (pairs !== null) return { ...none, base, k, measured, sd, sdSource: "rows", modelBase: base, nPaired: pairs.n };
  refuseBeyondRoom(effect, base, inference);
  return { ...none, base, k, measured, sd, sdSource: "model", modelBase: base };
}

/** Sized by the model at another base, because at this one no set would do. */
function saturatedAt({
  base,
  effect,
  k,
  warning = ceiling(base, effect),
}: {
  base: number;
  effect: number;
  k: number;
  warning?: Warning<HoldoutWarningCode>;
}): Omit<Basis, "measured"> {
  const sd = pairedTaskSd(BASE_PASS_RATE, effect, k);
  return { sd, sdSource: "model", base, k, modelBase: BASE_PASS_RATE, nPaired: null, warnings: [warning] };
}

function refuseBeyondRoom(effect: number, base: number, inference: Inference): void {
  if (inference === "compat" || effect <= 1 - base + THRESHOLD_SLACK) return;
  throw new StatsError(
    "bad_effect",
    `A gain of ${effect} does not fit above a pass rate of ${formatFixed(base, 2)}.`,
    "Pass a gain of at most 1 - base, or harder tasks.",
  );
}

function pairsOf(
  before: readonly Row[],
  after: readonly Row[],
  inference: Inference,
): { sd: number; base: number; k: number; n: number } {
  const [rates, other] = [before, after].map((rows) => taskRates(keyedRows(rows, inference), inference)) as [
    Map<string, TaskRate>,
    Map<string, TaskRate>,
  ];
  const shared = [...rates.keys()].filter((task) => other.has(task));
  if (shared.length < MIN_CI_TASKS) {
    throw new StatsError(
      "too_few_tasks",
      `before and after share ${countOf(shared.length, "graded task")}, and a spread of differences needs ${MIN_CI_TASKS}.`,
      "Run both arms on the same tasks, or pass taskStd.",
    );
  }
  const diffs = shared.map((task) => rateOf(other.get(task)!) - rateOf(rates.get(task)!));
  const counts = shared.flatMap((task) => [rates.get(task)!.n, other.get(task)!.n]);
  return {
    sd: sampleSd(diffs)!,
    base: mean(shared.map((task) => rateOf(rates.get(task)!)))!,
    k: rolloutsPerTask(counts, inference),
    n: shared.length,
  };
}

/** What both warnings end with: the formula's answer, why it is none, what was answered instead, what to do. */
const NO_EVIDENCE =
  `the formula would answer its floor of ${MIN_HOLDOUT_TASKS} tasks, which is no evidence; the answer is the model at a ` +
  `base of ${formatFixed(BASE_PASS_RATE, 2)} with the same k. Use harder situations, so that the baseline lies in the ` +
  "20-80% band, and size again";

function ceiling(base: number, effect: number): Warning<HoldoutWarningCode> {
  const text = `CEILING: the base is ${formatFixed(base, 2)}, so this suite cannot show a gain of ${effect}; ${NO_EVIDENCE}`;
  return { code: "ceiling", text };
}

function degenerate(base: number): Warning<HoldoutWarningCode> {
  const text = `DEGENERATE: every task differs by the same amount (base ${formatFixed(base, 2)}); ${NO_EVIDENCE}`;
  return { code: "degenerate", text };
}

function notesOf({
  sdSource,
  base,
  modelBase,
  nPaired,
  warnings,
  spread,
  ratio,
  concentrated,
}: Basis & { spread: number | null; ratio: number | null; concentrated: number | null }): string[] {
  if (sdSource === "rows")
    return [`the spread of a task's difference is measured, on ${countOf(nPaired!, "paired task")}`];
  if (sdSource === "given") return ["the spread of a task's difference was given, and nothing here checks it"];
  const notes = [
    `a model: arms that share the tasks and nothing else, and every task gaining alike from a base of ${formatFixed(modelBase, 2)}; ` +
      `${countOf(concentrated!, "task")} if the gain sits in few tasks. Measure instead: pass rows of both arms (before, ` +
      "after), or taskStd",
  ];
  if (warnings.length > 0 || spread === null || spread <= 0) return notes;
  const sharing =
    ratio === null
      ? "every task is sure, so pairing removes all of the model's variance"
      : `the model asks for ${formatFixed(ratio, 2)} times what tasks this different need, if both arms find the same ones hard`;
  notes.push(
    `pass rates spread by ${formatPercent(spread)} around ${formatPercent(base)}: ${sharing}; only rows of the changed arm ` +
      "decide which way the model errs",
  );
  return notes;
}
