import { IdNumbers } from "../readers/id-numbers.ts";
import type { BadLine, ReadReport, ReadWarning } from "../readers/read-report.ts";
import { SeenIds } from "../readers/seen-ids.ts";
import type { Row } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { textOf } from "../text/text-of.ts";

/** In how many rows a name has a value. */
export interface Coverage {
  name: string;
  n: number;
  /** Of all rows. */
  share: number;
}

export interface RewardCount {
  value: number;
  n: number;
}

/** What a set of rows is, before anything is concluded from it. */
export interface Census {
  rows: number;
  tasks: number;
  /** Rows with neither an id nor a prompt; each is a task of its own. */
  nWithoutKey: number;
  /** null without rows. */
  rolloutsPerTask: { min: number; median: number; max: number } | null;
  /** Rows with a reward. */
  graded: number;
  /** Of all rows; null without rows. */
  gradedShare: number | null;
  /** Rewards strictly between 0 and 1. */
  partial: number;
  /** Every reward and its rows, lowest first; empty when there are more than 50 different ones. */
  rewards: RewardCount[];
  nRewardValues: number;
  /** Keys by the rows in which they hold something: not null, "" or an empty list or object. Most frequent first. */
  fields: Coverage[];
  markers: Coverage[];
  /** Rows by `model_version`. */
  models: Map<string, number>;
  /**
   * Rows that say the same of themselves as an earlier one: its `rollout_id`, or its scenario and index, or without
   * those its ask and reply.
   */
  duplicates: number;
  /** Up to three of them, by id, by scenario and index, or by the beginning of the ask. */
  duplicateExamples: string[];
  /** What reading the files said; null where the rows came from memory. */
  reading: CensusReading | null;
}

/** The part of the `ReadReport` that belongs under a census. */
export interface CensusReading {
  format: string;
  files: number;
  skipped: Map<string, number>;
  nBadLines: number;
  /** The first five. */
  badLines: BadLine[];
  warnings: ReadWarning[];
}

/** More different rewards than this are a scale and no list. */
const MAX_REWARD_VALUES = 50;

const MAX_EXAMPLES = 3;

/** Past this many names the rest are counted under one: rows keyed by their users would fill the memory. */
const MAX_NAMES = 10_000;

const OTHER_NAMES = "(other names)";

/**
 * Counts rows, tasks, rewards and fields.
 *
 * @param report What reading the rows said, to be shown with them
 */
export function censusOf(rows: readonly Row[], { report }: { report?: ReadReport } = {}): Census {
  const collector = new CensusCollector();
  for (const row of rows) collector.add(row);
  return collector.census(report === undefined ? {} : { report });
}

/** `censusOf` for rows that pass by one at a time: memory grows with tasks and names, not with rows. */
export class CensusCollector {
  #rows = 0;
  #graded = 0;
  #partial = 0;
  #nWithoutKey = 0;
  #duplicates = 0;
  readonly #examples: string[] = [];
  readonly #tasks = new IdNumbers();
  /** Rows of each task, by the task's number. */
  readonly #perTask: number[] = [];
  readonly #rewards = new Map<number, number>();
  readonly #fields = new Map<string, number>();
  readonly #markers = new Map<string, number>();
  readonly #models = new Map<string, number>();
  readonly #seen = new SeenIds();

  add(row: Row): void {
    this.#rows++;
    const task = taskKey(row);
    if (task === "") this.#nWithoutKey++;
    else {
      const number = this.#tasks.of(task);
      this.#perTask[number] = (this.#perTask[number] ?? 0) + 1;
    }
    const { reward } = row;
    if (typeof reward === "number" && Number.isFinite(reward)) {
      this.#graded++;
      if (reward > 0 && reward < 1) this.#partial++;
      if (this.#rewards.size <= MAX_REWARD_VALUES || this.#rewards.has(reward)) count(this.#rewards, reward);
    }
    for (const key in row) {
      if (holds(row[key])) countName(this.#fields, key);
    }
    for (const name in row.markers) {
      if (typeof row.markers[name] === "number") countName(this.#markers, name);
    }
    if (typeof row.model_version === "string" && row.model_version !== "") countName(this.#models, row.model_version);
    this.#look(row);
  }

  census({ report }: { report?: ReadReport } = {}): Census {
    const rows = this.#rows;
    const perTask = [...this.#perTask, ...Array<number>(this.#nWithoutKey).fill(1)].sort((a, b) => a - b);
    const isList = this.#rewards.size <= MAX_REWARD_VALUES;
    const rewards = [...this.#rewards].map(([value, n]) => ({ value, n })).sort((a, b) => a.value - b.value);
    return {
      rows,
      tasks: perTask.length,
      nWithoutKey: this.#nWithoutKey,
      rolloutsPerTask:
        perTask.length === 0 ? null : { min: perTask[0]!, median: median(perTask), max: perTask.at(-1)! },
      graded: this.#graded,
      gradedShare: rows === 0 ? null : this.#graded / rows,
      partial: this.#partial,
      rewards: isList ? rewards : [],
      nRewardValues: this.#rewards.size,
      fields: coverage(this.#fields, rows),
      markers: coverage(this.#markers, rows),
      models: new Map([...this.#models].sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b))),
      duplicates: this.#duplicates,
      duplicateExamples: this.#examples,
      reading: report === undefined ? null : readingOf(report),
    };
  }

  /** The rules of `rowKey`, without the digest that it makes of ask and reply. */
  #look(row: Row): void {
    const rolloutId = textOf(row.rollout_id);
    const scenario = textOf(row.scenario_id);
    const index = textOf(row.rollout_index);
    const prompt = textOf(row.prompt);
    const reply = textOf(row.final_text);
    // Rows without a reply are told apart by whatever else they hold.
    let key = `${prompt}\u001f${reply === "" ? JSON.stringify(row) : reply}`;
    let shown = prompt.slice(0, 40);
    if (rolloutId !== "") {
      key = rolloutId;
      shown = rolloutId;
    } else if (scenario !== "" && index !== "") {
      key = `${scenario}#${index}`;
      shown = key;
    }
    if (this.#seen.add(key, 0, 0) === null) return;
    this.#duplicates++;
    if (this.#examples.length < MAX_EXAMPLES && !this.#examples.includes(shown)) this.#examples.push(shown);
  }
}

function readingOf({ format, files, skipped, nBadLines, badLines, warnings }: ReadReport): CensusReading {
  return { format, files: files.length, skipped, nBadLines, badLines, warnings };
}

function holds(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (typeof value !== "object") return true;
  if (Array.isArray(value)) return value.length > 0;
  for (const _ in value) return true;
  return false;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countName(counts: Map<string, number>, name: string): void {
  count(counts, counts.size < MAX_NAMES || counts.has(name) ? name : OTHER_NAMES);
}

function coverage(counts: ReadonlyMap<string, number>, rows: number): Coverage[] {
  return [...counts]
    .map(([name, n]) => ({ name, n, share: n / rows }))
    .sort((a, b) => b.n - a.n || compareCodePoints(a.name, b.name));
}

/** Of sorted numbers. */
function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
