import { cutCodePoints, formatFixed } from "@while/schema";
import { MAX_CURVE_K } from "../constants.ts";
import { countOf } from "../count-of.ts";
import type { Interval } from "../interval/interval.ts";
import { noIntervalNote } from "../interval/no-interval-note.ts";
import type { CiMethod } from "../interval/task-interval.ts";
import type { Warning } from "../warning.ts";
import type { Outcomes, OutcomeTable } from "./outcome-table.ts";

export type PassAtWarningCode =
  | "one_reward"
  | "not_graded"
  | "judge_failed"
  | "too_few_repeats"
  | "uneven_groups"
  | "no_group_at_k"
  | "no_interval"
  | "score_interval"
  | "ungraded_rows"
  | "partial_credit"
  | "near_binary"
  | "no_task_key"
  | "repeated_rollouts"
  | "copied_rollouts"
  | "curve_cut";

type PassAtWarning = Warning<PassAtWarningCode>;

interface Findings {
  table: OutcomeTable;
  outcomes: Outcomes;
  k: number;
  kGiven: boolean;
  minK: number;
  hasKWay: boolean;
  ci95: Interval | null;
  /** By the name a reader knows the number by. */
  methods: Map<string, CiMethod | null>;
  largest: number;
}

/** `notes` belong to the printed line, `others` under it. */
export function passAtWarnings(findings: Findings): { notes: PassAtWarning[]; others: PassAtWarning[] } {
  const { table, outcomes, ci95 } = findings;
  const nGroups = outcomes.order.length;
  const notes = [
    oneReward(table),
    table.nRows === 0 ? notGraded(table) : groupSizes(findings),
    ci95 === null && nGroups > 0 ? { code: "no_interval" as const, text: noIntervalNote(nGroups, "pass@1") } : null,
    scoreInterval(findings),
  ];
  const others = [
    ungraded(table),
    partial(table),
    nearBinary(table),
    noKey(table),
    repeated(table),
    copied(findings),
    curveCut(findings),
  ];
  return { notes: notes.filter((note) => note !== null), others: others.filter((other) => other !== null) };
}

function oneReward({ nRows, nPartial, onlyReward }: OutcomeTable): PassAtWarning | null {
  if (nRows + nPartial < 2 || onlyReward === null) return null;
  const value = formatFixed(onlyReward, 2);
  return {
    code: "one_reward",
    text: `all ${nRows + nPartial} graded rows have reward ${value}: check the checker before reading the number`,
  };
}

function notGraded({ judge }: OutcomeTable): PassAtWarning {
  if (judge.nRows === 0 || judge.nFailed < judge.nRows) {
    return { code: "not_graded", text: "no row has a reward of 0 or 1: grade the rows first" };
  }
  const reason = judge.reason === "" ? "" : ` (${cutCodePoints(judge.reason, 120)})`;
  return {
    code: "judge_failed",
    text: `the judge failed on all ${countOf(judge.nRows, "row")}: ${[...judge.statuses].join("/")}${reason}; run the judge again`,
  };
}

/** Why there are no k-way numbers, or what the k they were given hides. */
function groupSizes({ outcomes, k, kGiven, minK, hasKWay, largest }: Findings): PassAtWarning | null {
  const uneven = outcomes.atoms.some(({ n }) => n >= 2 && n !== largest);
  if (!kGiven && uneven) {
    const reach = outcomes.atoms.filter(({ n }) => n === largest).reduce((total, { count }) => total + count, 0);
    return {
      code: "uneven_groups",
      text:
        `tasks have ${k} to ${largest} graded rollouts and k is the smallest of these` +
        `${hasKWay ? "" : `, under ${minK}`}; ${countOf(reach, "task")} reached ${largest}: pass k, or finish the cut groups`,
    };
  }
  if (hasKWay) return null;
  if (k < Math.max(1, minK)) {
    return {
      code: "too_few_repeats",
      text: `pass^k and pass@k are reported from ${minK} graded rollouts a task: run with repeats >= ${minK}`,
    };
  }
  return { code: "no_group_at_k", text: `no task has ${k} graded rollouts` };
}

function scoreInterval({ methods }: Findings): PassAtWarning | null {
  const names = [...methods].filter(([, method]) => method === "score").map(([name]) => name);
  if (names.length === 0) return null;
  return {
    code: "score_interval",
    text: `${names.join(", ")}: the same on every task, so resampling has no width; score interval over the tasks instead`,
  };
}

function ungraded({ nUngraded, nLost, nRows, nRowsTotal }: OutcomeTable): PassAtWarning | null {
  if (nUngraded === 0) return null;
  const lost = nLost === 0 ? "" : `, ${nLost} of them lost to an error`;
  return {
    code: "ungraded_rows",
    text:
      `${countOf(nUngraded, "row")} without a verdict${lost}: the numbers rest on ${nRows} of ${nRowsTotal} rows, and rows ` +
      "lost for a reason bias them; grade or re-run the missing ones",
  };
}

function partial({ nPartial }: OutcomeTable): PassAtWarning | null {
  if (nPartial === 0) return null;
  return {
    code: "partial_credit",
    text: `${countOf(nPartial, "row")} with partial credit left out: neither a pass nor a failure`,
  };
}

function nearBinary({ nNearBinary }: OutcomeTable): PassAtWarning | null {
  if (nNearBinary === 0) return null;
  return {
    code: "near_binary",
    text:
      `${countOf(nNearBinary, "row")} within 1e-6 of 0 or 1 counted as partial credit: only exact 0 and 1 are outcomes; ` +
      "round in the grader if they are meant as such",
  };
}

function noKey({ tasks }: OutcomeTable): PassAtWarning | null {
  if (tasks.nWithoutKey === 0) return null;
  const how = tasks.pools ? "pooled as one task" : "a task of its own each";
  return {
    code: "no_task_key",
    text: `${countOf(tasks.nWithoutKey, "row")} without scenario_id, task_id or prompt, counted as ${how}; set task_id`,
  };
}

function repeated({ seen }: OutcomeTable): PassAtWarning | null {
  if (seen.nRepeated === 0) return null;
  return {
    code: "repeated_rollouts",
    text:
      `${countOf(seen.nRepeated, "row")} with the rollout_id of another row of the same task, counted again: ` +
      "was a file loaded twice?",
  };
}

/** Copies of one draw: each task then passes always or never, and the k-way numbers are pass@1 under another name. */
function copied({ table: { nCopiedTasks }, outcomes, largest }: Findings): PassAtWarning | null {
  if (nCopiedTasks === 0) return null;
  return {
    code: "copied_rollouts",
    text:
      `on ${nCopiedTasks} of ${countOf(outcomes.order.length, "graded task")} every rollout is word for word the same, at ` +
      `temperature 0: up to ${largest} copies of one draw count as one, so pass^k and pass@k say what pass@1 says; sample ` +
      "with a temperature to see how often the agent would pass again",
  };
}

function curveCut({ largest }: Findings): PassAtWarning | null {
  if (largest <= MAX_CURVE_K) return null;
  return { code: "curve_cut", text: `the curve stops at k = ${MAX_CURVE_K} of ${largest}; pass k for a larger one` };
}
