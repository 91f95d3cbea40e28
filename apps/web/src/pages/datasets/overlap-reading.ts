import { whole } from "../../numbers.ts";
import { listIn, numberIn, textIn, type WireObject } from "../../wire-values.ts";

/** What a report counts, by rule. */
export const RULES = [
  ["n_same_task", "the same task"],
  ["n_exact", "the same words"],
  ["n_near", "nearly the same words"],
  ["n_contains", "a whole text of it inside"],
  ["n_near_duplicate", "near duplicates"],
] as const;

/** Rows of the set that the other one holds too, in the same way. */
export interface OverlapHit {
  /** In the set, from 1: of a task its rollouts. */
  rows: number[];
  rule: string;
  /** Share of the row that is covered; null where the task alone says it. */
  share: number | null;
  /** What it meets there: the words, or the task. */
  there: string | null;
}

const WORDS: Readonly<Record<string, string>> = {
  same_task: "the same task",
  exact: "the same words",
  near: "nearly the same words",
  contains: "inside it",
  near_duplicate: "near duplicate",
};

/** The rows that a report shows: those that meet the same in the same way are one hit. */
export function overlapHits(report: WireObject): OverlapHit[] {
  const hits = new Map<string, OverlapHit>();
  for (const example of listIn(report, "examples")) {
    if (typeof example !== "object" || example === null) continue;
    const read = example as WireObject;
    const [index, rule] = [numberIn(read, "index"), textIn(read, "rule")];
    if (index === null || rule === null) continue;
    const task = textIn(read, "eval_task");
    const share = rule === "same_task" ? null : numberIn(read, "coverage");
    const there = textIn(read, "shared") ?? textIn(read, "eval_prompt") ?? (task === null ? null : `task ${task}`);
    const key = JSON.stringify([rule, share, there]);
    const hit = hits.get(key) ?? { rows: [], rule: WORDS[rule] ?? rule.replaceAll("_", " "), share, there };
    hit.rows.push(index + 1);
    hits.set(key, hit);
  }
  return [...hits.values()];
}

/** Numbers as they are read: `9 to 16, 18`. */
export function rowsWords(rows: readonly number[]): string {
  const sorted = [...rows].sort((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const row of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && row <= run[1] + 1) run[1] = row;
    else runs.push([row, row]);
  }
  return runs
    .map(([first, last]) =>
      first === last ? whole(first) : `${whole(first)}${last === first + 1 ? ", " : " to "}${whole(last)}`,
    )
    .join(", ");
}

/** What the look could not see, in the words of the report. */
export function overlapNotes(report: WireObject): string[] {
  return [...listIn(report, "warnings"), ...listIn(report, "notes")].filter((note) => typeof note === "string");
}
