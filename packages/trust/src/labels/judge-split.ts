import { compareCodePoints, type Row, rowKey, taskKey, textOf } from "@while/schema";
import { taskHalf } from "../agreement/held-out-halves.ts";
import { counted } from "../counted.ts";
import { TrustError } from "../trust-error.ts";

/** What a row's label is for: the judge was tuned on it, or it is evidence of how good the judge is. */
export const JUDGE_SPLITS = ["tune", "report"] as const;
export type JudgeSplit = (typeof JUDGE_SPLITS)[number];

export interface JudgeSplitOptions {
  /**
   * What the judge's prompt or rubric was tuned on: a half of the tasks (`heldOutHalves` reads the same halves), or rows,
   * or the keys of rows or of tasks. One row of a task takes all of it.
   */
  tune: "a" | "b" | readonly (string | Row)[];
}

const EXAMPLES = 3;

/**
 * Writes on rows which of them the judge was tuned on (`lineage.judge_split`: `tune`, else `report`). `judgeTrust` takes no
 * evidence from the first: a prompt was changed until it agreed there.
 *
 * Whole tasks: another rollout of a task that somebody read while mending the prompt is not held out.
 *
 * @returns New rows
 * @throws TrustError `bad_option` for another half; `no_rows` where a key names no row
 */
export function stampJudgeSplit(rows: readonly Row[], { tune }: JudgeSplitOptions): Row[] {
  const isTuned = typeof tune === "string" ? ofHalf(tune) : ofTasks(rows, tune);
  return rows.map((row) => ({
    ...row,
    lineage: { ...row.lineage, judge_split: isTuned(row) ? "tune" : "report" },
  }));
}

function ofHalf(half: string): (row: Row) => boolean {
  if (half !== "a" && half !== "b") {
    throw new TrustError("bad_option", `tune is ${JSON.stringify(half)}.`, "Pass a, b, or a list of rows or keys.");
  }
  return (row) => taskHalf(taskKey(row)) === half;
}

function ofTasks(rows: readonly Row[], tuned: readonly (string | Row)[]): (row: Row) => boolean {
  const tasksOf = new Map<string, string>();
  for (const row of rows) {
    tasksOf.set(taskKey(row), taskKey(row));
    tasksOf.set(rowKey(row), taskKey(row));
  }
  const tasks = new Set<string>();
  const unknown: string[] = [];
  for (const one of tuned) {
    const keys = typeof one === "string" ? [one] : [taskKey(one), rowKey(one)];
    const task = keys.map((key) => tasksOf.get(key)).find((known) => known !== undefined);
    if (task !== undefined) tasks.add(task);
    else unknown.push(keys[0]!);
  }
  // Examples that the prompt was written on need not be among these rows; a list of which none is, is another file's.
  if (tuned.length > 0 && unknown.length === tuned.length) {
    const names = unknown.sort(compareCodePoints).slice(0, EXAMPLES).join(", ");
    throw new TrustError(
      "no_rows",
      `None of ${counted(tuned.length, "key")} that the judge was tuned on names a row: ${names}.`,
      "Give tasks, row keys or rows of this file, or leave the split out.",
    );
  }
  return (row) => tasks.has(taskKey(row));
}

/** Words that stand on rows in place of a split and are none, each once. */
export function unknownSplits(rows: readonly Row[]): string[] {
  const words = rows.map(({ lineage }) => textOf(lineage?.judge_split));
  return [...new Set(words)].filter((word) => word !== "" && !(JUDGE_SPLITS as readonly string[]).includes(word));
}

/** The split as it stands on a row; null without, and for a word that is neither. */
export function judgeSplitOf({ lineage }: Row): JudgeSplit | null {
  const split = lineage?.judge_split;
  return JUDGE_SPLITS.find((word) => word === split) ?? null;
}
