import { SCHEMA_VERSION } from "../checks/shape.ts";
import { conversation } from "../conversation/conversation.ts";
import { fromMessages } from "../conversation/from-messages.ts";
import { taskIdOfPrompt } from "../identity/derived-ids.ts";
import { checkOptions } from "../options/check-options.ts";
import type { Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { attach } from "./attach.ts";
import { REWARD_RAW } from "./row-keys.ts";
import type { Judgment, Scorer } from "./typed-row.ts";

/** One value a completion: one for a prompt that was completed once, a list for one that was completed k times. */
export type PerCompletion<T> = readonly (T | readonly T[])[];

/** What a reward function may say beyond the number. */
export type Verdict = Pick<Judgment, "reward"> & Partial<Omit<Judgment, "rolloutId" | "scorer">>;

export interface BuildRowsOptions {
  /** Rewards from 0 to 1 in the shape of the completions; null is ungraded. */
  reward?: PerCompletion<number | null>;
  /** The right answer to each prompt. Goes under `privileged`, which no export writes. */
  references?: readonly string[];
  /** The task of each prompt; by default one derived from the prompt. */
  taskIds?: readonly string[];
  /** Measurements in the shape of the completions. */
  markers?: PerCompletion<Readonly<Record<string, number>>>;
  /** What gave the rewards. A name alone is a rule's. */
  scorer?: string | Scorer;
}

export interface ScoreRowsOptions extends Omit<BuildRowsOptions, "reward"> {
  /** Called with every row. What it throws makes the row ungraded, with status `error` and the reason. */
  reward: (row: Row) => number | null | Verdict | Promise<number | null | Verdict>;
  /** Calls at a time. */
  concurrency?: number;
}

const OPTIONS = ["reward", "references", "taskIds", "markers", "scorer", "concurrency"];

const DEFAULT_CONCURRENCY = 8;

/**
 * Rows from a benchmark or an eval loop: prompt i with each of its completions.
 *
 * A prompt is a text or the messages of a conversation; then the last user turn is the ask, and the task is the whole
 * conversation (two that end in "yes" are not one task). Repeats count on where one task occurs more than once.
 *
 * @returns The rows; a promise of them where `reward` is a function
 * @throws SchemaError `bad_option` for lists of different lengths, rewards outside [0, 1], markers that are no numbers
 *   and one task id for different prompts, each with its place
 */
export function buildRows(
  prompts: readonly (string | readonly Message[])[],
  completions: PerCompletion<string>,
  options: ScoreRowsOptions,
): Promise<Row[]>;
export function buildRows(
  prompts: readonly (string | readonly Message[])[],
  completions: PerCompletion<string>,
  options?: BuildRowsOptions,
): Row[];
export function buildRows(
  prompts: readonly (string | readonly Message[])[],
  completions: PerCompletion<string>,
  options: BuildRowsOptions | ScoreRowsOptions = {},
): Row[] | Promise<Row[]> {
  checkOptions(options, OPTIONS, bad);
  const { reward, references, taskIds, markers } = options;
  const rewards = typeof reward === "function" ? undefined : reward;
  for (const [name, list] of Object.entries({ completions, reward: rewards, references, taskIds, markers })) {
    if (list !== undefined && list.length !== prompts.length) {
      throw bad(`There are ${prompts.length} prompts and ${list.length} ${name}.`, "Give one for each prompt.");
    }
  }
  const scorer = scorerOf(options.scorer);
  const tasks = new Tasks();
  const rows: Row[] = [];
  for (const [i, prompt] of prompts.entries()) {
    const replies = listOf(completions[i]!);
    const graded = rewards && sameLength(rewards[i]!, replies, "reward", i);
    const measured = markers && sameLength(markers[i]!, replies, "markers", i);
    for (const [j, reply] of replies.entries()) {
      const row: Row = {
        schema_version: SCHEMA_VERSION,
        ...tasks.next(prompt, taskIds?.[i]),
        ...toldRow(prompt, reply),
      };
      if (measured !== undefined) row.markers = checkedMarkers(measured[j]!, i, j);
      if (references !== undefined) row.privileged = { reference: references[i]! };
      rows.push(graded === undefined ? row : attach(row, givenVerdict(graded[j]!, scorer, i, j)));
    }
  }
  return typeof reward === "function" ? scoredRows(rows, options as ScoreRowsOptions, scorer) : rows;
}

/** Which task a prompt belongs to, and which repeat of it comes next. */
class Tasks {
  readonly #asked = new Map<string, string>();
  readonly #repeats = new Map<string, number>();

  next(prompt: string | readonly Message[], given: string | undefined): Pick<Row, "task_id" | "rollout_index"> {
    const asked = typeof prompt === "string" ? prompt : pyJson(prompt, { sortKeys: true });
    const task = given ?? taskIdOfPrompt(asked);
    if ((this.#asked.get(task) ?? asked) !== asked) {
      throw bad(`taskIds gives ${JSON.stringify(task)} to two different prompts.`, "Give every prompt its own id.");
    }
    this.#asked.set(task, asked);
    const index = this.#repeats.get(task) ?? 0;
    this.#repeats.set(task, index + 1);
    return { task_id: task, rollout_index: index };
  }
}

function toldRow(prompt: string | readonly Message[], reply: string): Row {
  if (typeof prompt === "string") {
    const row: Row = { prompt, steps: [], final_text: reply };
    return { ...row, messages: conversation(row) };
  }
  const ask = prompt.findLast(({ role }) => role === "user");
  return {
    prompt: ask === undefined ? "" : fromMessages([ask]).prompt,
    steps: [],
    messages: [...prompt, { role: "assistant", content: reply }],
    final_text: reply,
  };
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function sameLength<T>(value: T | readonly T[], replies: readonly string[], name: string, i: number): readonly T[] {
  const list = listOf(value);
  if (list.length === replies.length) return list;
  throw bad(
    `Prompt ${i} has ${replies.length} completions and ${list.length} under ${name}.`,
    "Give one for each completion.",
  );
}

function checkedMarkers(markers: Readonly<Record<string, number>>, i: number, j: number): Record<string, number> {
  for (const [name, value] of Object.entries(markers)) {
    if (Number.isFinite(value)) continue;
    throw bad(`The marker ${name} of prompt ${i}, completion ${j} is ${value}.`, "Give a number, 1 for good.");
  }
  return { ...markers };
}

function givenVerdict(reward: number | null, scorer: Scorer, i: number, j: number): Omit<Judgment, "rolloutId"> {
  if (reward !== null && !isShare(reward)) {
    throw bad(
      `The reward of prompt ${i}, completion ${j} is ${reward}.`,
      "Give a share from 0 to 1, or null for none.",
    );
  }
  return verdictOf(reward, scorer);
}

async function scoredRows(rows: readonly Row[], options: ScoreRowsOptions, scorer: Scorer): Promise<Row[]> {
  const { reward, concurrency = DEFAULT_CONCURRENCY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw bad(`concurrency is ${concurrency}.`, "Give the calls to make at a time, 1 or more.");
  }
  const scored: Row[] = [];
  const queue = rows.entries();
  const work = async (): Promise<void> => {
    for (const [i, row] of queue) scored[i] = attach(row, await verdictBy(reward, row, scorer));
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, rows.length) }, work));
  return scored;
}

/** One failing call makes one ungraded row, and stops no other. */
async function verdictBy(
  reward: ScoreRowsOptions["reward"],
  row: Row,
  scorer: Scorer,
): Promise<Omit<Judgment, "rolloutId">> {
  try {
    return verdictFrom(await reward(row), scorer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...verdictOf(null, scorer), status: "error", reason };
  }
}

function verdictFrom(answer: unknown, scorer: Scorer): Omit<Judgment, "rolloutId"> {
  const said = (typeof answer === "object" && answer !== null ? answer : { reward: answer }) as Verdict;
  const verdict = { ...verdictOf(said.reward ?? null, scorer), ...said };
  if (verdict.reward === null || verdict.reward === undefined) return { ...verdict, reward: null };
  if (isShare(verdict.reward)) return verdict;
  const key = typeof verdict.reward === "number" ? "reward_out_of_range" : REWARD_RAW;
  const evidence = {
    ...verdict.evidence,
    [key]: Number.isFinite(verdict.reward) ? verdict.reward : String(verdict.reward),
  };
  return { ...verdict, reward: null, status: "invalid_result", evidence };
}

function verdictOf(reward: number | null, scorer: Scorer): Omit<Judgment, "rolloutId"> {
  const status = reward === null ? "missing_reward" : "ok";
  return { scorer, reward, status, reason: "", failureClass: null, evidence: {} };
}

function scorerOf(scorer: string | Scorer = "reward"): Scorer {
  return typeof scorer === "string" ? { name: scorer, kind: "rule", version: null } : scorer;
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function bad(what: string, fix: string): SchemaError {
  return new SchemaError("bad_option", what, fix);
}
