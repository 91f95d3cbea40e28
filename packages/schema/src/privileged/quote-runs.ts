import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { saidIn } from "./carriers.ts";
import { LEAK_MIN_QUOTE_CHARS, needlesOf, wordsOf } from "./needles.ts";

/** Words of a run that a quote is recognized by. */
const RUN_WORDS = 5;
const LEAST_WORDS = 3;
/** Other tasks whose replies have a run from which on it is how people speak. */
const COMMON_TASKS = 2;

/** Runs of words, each as its words with blanks between. */
export type Runs = ReadonlySet<string>;

/** The runs of a quote: five words, or all of a quote of three or four. */
function runsOf(words: readonly string[]): string[] {
  if (words.length < LEAST_WORDS) return [];
  const length = Math.min(RUN_WORDS, words.length);
  return Array.from({ length: words.length - length + 1 }, (_, i) => words.slice(i, i + length).join(" "));
}

/** Every run of three, four and five words of a text. */
export function allRunsOf(text: string, into: Set<string> = new Set()): Set<string> {
  const words = wordsOf(text);
  for (let at = 0; at < words.length; at++) {
    let run = words[at]!;
    for (let length = 2; length <= RUN_WORDS && at + length <= words.length; length++) {
      run += ` ${words[at + length - 1]}`;
      if (length >= LEAST_WORDS) into.add(run);
    }
  }
  return into;
}

/** Share of a quote's words that lie in runs which were said. */
export function coverageOf(words: readonly string[], said: Runs): number {
  const length = Math.min(RUN_WORDS, words.length);
  let covered = 0;
  let end = 0;
  for (const [at, run] of runsOf(words).entries()) {
    if (!said.has(run)) continue;
    covered += at + length - Math.max(at, end);
    end = at + length;
  }
  return words.length === 0 ? 0 : covered / words.length;
}

/**
 * Runs of privileged texts that are how people speak: replies of two other tasks have them, and those rows' own blocks do
 * not. "The refund was approved" is no secret wherever it stands; a text that is mostly such runs is not looked for.
 */
export function commonRuns(rows: readonly Row[], minLen: number = LEAK_MIN_QUOTE_CHARS): Runs {
  const owners = new Map<string, Set<string>>();
  const ownRuns = rows.map((row): Set<string> => {
    const own = new Set<string>();
    if (!isObject(row)) return own;
    for (const { text } of needlesOf(row.privileged, minLen).quotes)
      for (const run of runsOf(wordsOf(text))) own.add(run);
    if (own.size > 0) {
      const task = taskKey(row);
      for (const run of own) owners.set(run, (owners.get(run) ?? new Set()).add(task));
    }
    return own;
  });
  const common = new Set<string>();
  if (owners.size === 0) return common;
  const sayers = new Map<string, Set<string>>();
  for (const [index, row] of rows.entries()) {
    if (!isObject(row)) continue;
    const task = taskKey(row);
    const runs = new Set<string>();
    for (const { text } of saidIn(row)) allRunsOf(text, runs);
    for (const run of runs) {
      const tasks = owners.get(run);
      if (tasks === undefined || tasks.has(task) || ownRuns[index]!.has(run)) continue;
      const said = (sayers.get(run) ?? new Set()).add(task);
      sayers.set(run, said);
      if (said.size >= COMMON_TASKS) common.add(run);
    }
  }
  return common;
}

/** Whether more than half of a quote's runs are how people speak. */
export function isCommon(words: readonly string[], common: Runs): boolean {
  const runs = runsOf(words);
  return 2 * runs.filter((run) => common.has(run)).length > runs.length;
}
